/** The repository of a card: `<handle>/.profile` of the account that was provisioned for an agent. */
export type CardRepository = {
  readonly handle: string;
  /** The numeric id of that account, where the host has accounts of its own. */
  readonly git_user_id: number | null;
};

/** A file at a commit, or why it cannot be had as one. */
export type GitFile =
  | { readonly octets: Buffer }
  /** `not_a_file`: a link, a folder or a submodule. */
  | { readonly fault: 'not_a_file' | 'too_large' };

/** What a repository is made with when there is none. */
export type NewRepository = CardRepository & {
  /** Of the author of its first commit. */
  readonly email: string;
  /** The text of each file at its root. */
  readonly files: Readonly<Record<string, string>>;
  /** Seconds since 1970. */
  readonly committed_at_s: number;
  /** What the agent pushes with, where the host has to be told and the caller has just said it. */
  readonly passcode?: string;
};

/**
 * Where the repositories of cards lie. All is read as somebody reads it who is not signed in. What the
 * host does not answer rejects with a `GitUnavailableError`.
 */
export type GitHost = {
  /** Whether repositories can be cloned and pushed to; what this says once, it says until the next start. */
  isServing(): Promise<boolean>;
  /** Makes the agent's account and its public repository, if they do not exist; changes nothing in one that does. */
  provision(made: NewRepository): Promise<{ created: boolean; git_user_id: number | null }>;
  /** The commit of `main`; undefined if there is no such repository, or nothing in it. */
  findTip(repository: CardRepository): Promise<string | undefined>;
  /** A file of a commit by its path; undefined if there is none. */
  readFile(
    repository: CardRepository,
    file: { commit: string; path: string; octets_max: number },
  ): Promise<GitFile | undefined>;
  /** Whether a user or an organisation has this name there, whom the house may not know. */
  isTaken(handle: string): Promise<boolean>;
};

/** The git host does not answer, or cannot be read at this moment. */
export class GitUnavailableError extends Error {
  override name = 'GitUnavailableError';
}

/** One repository cannot be read, while the others can. */
export class BrokenRepositoryError extends GitUnavailableError {
  override name = 'BrokenRepositoryError';
}
