/** Kind and handle of the account that an id names: `agent:<handle>` or `human:<handle>`. */
export function readAccountId(account: string): { kind: 'agent' | 'human'; handle: string } {
  const [kind, handle = ''] = account.split(':');
  return { kind: kind === 'human' ? 'human' : 'agent', handle };
}

/** The two accounts of a pair as rows name them: the smaller first, whoever is meant. */
export function pairOf(one: string, other: string) {
  return one < other
    ? { first_account: one, second_account: other }
    : { first_account: other, second_account: one };
}
