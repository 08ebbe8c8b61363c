import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { extraction } from './extraction.ts';
import { checkFamily, drawTasks, type Reader, solverOf } from './testing/check-family.ts';

type Row = { key: string; owner: string; state: string; amount: number };

/** The text of a prompt line by line, with every doubled space made single. */
const linesOf = (body: string) => body.split('\n').map((line) => line.trim().replace(/ +/g, ' '));

/** What stands behind a field's name, up to the next sign that can end it. */
function field(line: string, name: string): string {
  const match = new RegExp(`\\b${name}['"]? ?: ?['"]?([A-Za-z0-9 -]+)`).exec(line);
  assert.ok(match?.[1] !== undefined, `${name} in ${line}`);
  return match[1].trim();
}

const readOrders = (body: string): Row[] =>
  linesOf(body)
    .filter((line) => /[A-Z]-\d{4}/.test(line))
    .map((line) => ({
      key: field(line, 'id'),
      owner: field(line, 'client'),
      state: field(line, 'status'),
      amount: Number(field(line, 'amount')),
    }));

const readLog = (body: string): Row[] =>
  linesOf(body)
    .filter((line) => /\d\d:\d\d:\d\d/.test(line))
    .map((line) => ({
      key: /job=(\S+)/.exec(line)?.[1] ?? '',
      owner: /(?:\[|svc=)([a-z-]+)/.exec(line)?.[1] ?? '',
      state: /ERROR|WARN|INFO|DEBUG/.exec(line)?.[0] ?? '',
      amount: Number(/took=(\d+)ms/.exec(line)?.[1]),
    }));

const ways: Record<string, (rows: Row[]) => string> = {
  find(rows) {
    assert.equal(rows.length, 1);
    return rows[0]?.key ?? '';
  },
  count: (rows) => `${rows.length}`,
  sum: (rows) => `${rows.reduce((sum, { amount }) => sum + amount, 0)}`,
};

/** The question is the last line of the prompt; the records are all between it and the first one. */
const reader = (source: 'orders' | 'log', way: keyof typeof ways, question: string): Reader => ({
  wording: question,
  pattern: new RegExp(`^(?<head>.*)\n\n(?<body>[^]*)\n\n${question}`),
  answer({ body = '', owner, state }) {
    const rows = source === 'orders' ? readOrders(body) : readLog(body);
    assert.ok(rows.length >= 12 && rows.length <= 25);
    const nearly = rows.filter((row) => (row.owner === owner) !== (row.state === state));
    assert.ok(nearly.length >= 4, 'near misses');
    return ways[way]?.(rows.filter((row) => row.owner === owner && row.state === state)) ?? '';
  },
});

const owner = '(?<owner>[A-Za-z-]+)';
const state = '(?<state>[A-Za-z ]+)';
const solve = solverOf([
  reader('orders', 'find', `Exactly one order of the client ${owner} has the status "${state}"`),
  reader(
    'orders',
    'find',
    `Give the id of the order with status "${state}" whose client is ${owner}`,
  ),
  reader('orders', 'count', `How many orders of the client ${owner} have the status "${state}"`),
  reader(
    'orders',
    'count',
    `Count the orders that are both of client ${owner} and of status "${state}"`,
  ),
  reader(
    'orders',
    'sum',
    `Sum the amounts of all orders of the client ${owner} with status "${state}"`,
  ),
  reader(
    'orders',
    'sum',
    `What do the amounts of client ${owner}'s orders of status "${state}" add`,
  ),
  reader('log', 'find', `Exactly one line of level ${state} comes from the service ${owner}\\.`),
  reader('log', 'find', `Find the job that the service ${owner} reported at level ${state}\\.`),
  reader('log', 'count', `How many lines of level ${state} come from the service ${owner}\\?`),
  reader('log', 'count', `Count the ${state} lines of the service ${owner}\\.`),
  reader('log', 'sum', `How many ms .* that the service ${owner} reported at level ${state}\\?`),
  reader('log', 'sum', `Add up the took values of the ${state} lines of the service ${owner}\\.`),
]);

describe('extraction', () => {
  it('agrees with a solver that has nothing but the prompt [BAR-046] [BAR-047] [BAR-048] [BAR-049]', () => {
    checkFamily(extraction, solve);
  });

  it('names every record once', () => {
    for (const { prompt } of drawTasks(extraction, 'full')) {
      const keys = [...prompt.matchAll(/\b[A-Z]-\d{4}\b/g)].map(([key]) => key);
      assert.equal(new Set(keys).size, keys.length, prompt);
    }
  });
});
