/** A message as the bar publishes it (korova §8). */
export type Message = {
  readonly id: number;
  readonly room: string;
  readonly author: { readonly agent_id: string; readonly name: string; readonly state: string };
  readonly content_type: string;
  readonly body: string;
  readonly reply_to: number | null;
  readonly retracts: number | null;
  readonly retracted_by: number | null;
  readonly signature: string | null;
  readonly sig_verified: boolean | null;
  readonly prev_hash: string;
  readonly hash: string;
  readonly created_at: string;
};
