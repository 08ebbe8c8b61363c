import type { Random } from '../../random.ts';
import { given_names } from './data/names.ts';
import { between, pick, sample, shuffle } from './draw.ts';
import { doubleSpaces, drawRecords, type MessyRecord, scatterNoise } from './records.ts';
import type { Size, Task, TaskFamily } from './task.ts';

/** Finding, counting and adding up in damaged JSON or in log lines. */
export const extraction: TaskFamily = { name: 'extraction', weight: 'heavy', make };

/** What the records are about, and how the three questions about them are put. */
type Source = {
  owners(random: Random): string[];
  readonly states: readonly string[];
  readonly amount_max: number;
  write(random: Random, record: MessyRecord): string;
  readonly noise: readonly string[];
  readonly openings: readonly string[];
  readonly finds: Asking;
  readonly counts: Asking;
  readonly sums: Asking;
};
type Asking = readonly ((owner: string, state: string) => string)[];

const number_format = 'Answer with the number, digits only.';

function make(random: Random, size: Size): Task {
  const source = pick(random, [orders, log_lines]);
  const kind = pick(random, ['finds', 'counts', 'sums'] as const);
  const { records, owner, state, hits } = drawRecords(random, {
    size,
    hits: kind === 'finds' ? 1 : between(random, 2, 5),
    owners: source.owners(random),
    states: shuffle(random, source.states),
    key_letter: pick(random, [...'ABCDEFGHJKLMNPQRSTUVWXYZ']),
    amount_max: source.amount_max,
  });
  const lines = records.map((record) => doubleSpaces(random, source.write(random, record)));
  const text = scatterNoise(random, lines, source.noise).join('\n');
  const question = pick(random, source[kind])(owner, state);
  const prompt = `${pick(random, source.openings)}\n\n${text}\n\n${question}`;
  if (kind === 'finds') return { prompt, checking: 'text', answer: hits[0]?.key ?? '' };
  const total = hits.reduce((sum, { amount }) => sum + amount, 0);
  return { prompt, checking: 'integer', answer: `${kind === 'counts' ? hits.length : total}` };
}

const orders: Source = {
  owners(random) {
    const [name = '', ...others] = sample(random, given_names, 6);
    return [name, `${name}${pick(random, ['sen', 'mann', 'ova', 'ett'])}`, ...others];
  },
  states: ['open', 'paid', 'shipped', 'cancelled', 'on hold'],
  amount_max: 480,
  write(random, { key, owner, state, amount }) {
    const item = pick(random, ['rope', 'lamp oil', 'candles', 'copper wire', 'tea', 'open crates']);
    const quote = pick(random, ['"', "'", '']);
    const colon = pick(random, [': ', ' : ', ':']);
    const field = (name: string, value: string) => `${quote}${name}${quote}${colon}${value}`;
    const fields = shuffle(random, [
      field('id', `"${key}"`),
      field('client', pick(random, [`"${owner}"`, `'${owner}'`, owner])),
      field('item', `"${item}"`),
      field('amount', pick(random, [`${amount}`, `"${amount}"`])),
      field('status', pick(random, [`"${state}"`, `'${state}'`, state])),
    ]);
    return `${pick(random, ['{', '{ ', ''])}${fields.join(pick(random, [', ', ' ,', '; ']))}${pick(random, ['}', ' }', ',}', '},', ''])}`;
  },
  noise: [
    '// page torn here',
    '<<< checksum lost >>>',
    'null,',
    '], [',
    '/* see the other list */',
    '{}',
  ],
  openings: [
    'These order records were JSON once. Some quotes, commas and brackets are lost, but every record still has its line and its five fields; lines without an id are noise.',
    'Someone spilled milk over the list of orders. One order a line, five fields each, the punctuation no longer to be trusted; a line without an id is no order.',
    'Below is what a broken export left of some orders (one a line, with id, client, item, amount and status). Ignore lines that have no id.',
  ],
  finds: [
    (client, status) =>
      `Exactly one order of the client ${client} has the status "${status}". Which? Answer with its id, exactly as printed, such as X-0000.`,
    (client, status) =>
      `Give the id of the order with status "${status}" whose client is ${client}. Answer with the id, exactly as printed, such as X-0000.`,
  ],
  counts: [
    (client, status) =>
      `How many orders of the client ${client} have the status "${status}"? ${number_format}`,
    (client, status) =>
      `Count the orders that are both of client ${client} and of status "${status}". ${number_format}`,
  ],
  sums: [
    (client, status) =>
      `Sum the amounts of all orders of the client ${client} with status "${status}". ${number_format}`,
    (client, status) =>
      `What do the amounts of client ${client}'s orders of status "${status}" add up to? ${number_format}`,
  ],
};

const log_lines: Source = {
  owners(random) {
    const [name = '', ...others] = sample(random, services, 5);
    return [name, pick(random, [`${name}-eu`, `pre${name}`, `${name}s`]), ...others];
  },
  states: ['ERROR', 'WARN', 'INFO', 'DEBUG'],
  amount_max: 950,
  write(random, { key, owner, state, amount }) {
    const two = (high: number) => `${random.below(high)}`.padStart(2, '0');
    const time = `${two(24)}:${two(60)}:${two(60)}`;
    const note = pick(random, notes);
    return pick(random, [
      `${time} ${state} [${owner}] job=${key} took=${amount}ms ${note}`,
      `${time} | level=${state} | svc=${owner} | took=${amount}ms | job=${key} | ${note}`,
      `[${owner}] ${time} ${state} ${note} took=${amount}ms job=${key}`,
      `${time} job=${key} ${note} level=${state} took=${amount}ms svc=${owner}`,
    ]);
  },
  noise: [
    '--- log rotated ---',
    '    at retry (queue.c:88)',
    '... 3 lines lost ...',
    'see the handbook, shelf 4',
    '~~~~',
  ],
  openings: [
    'Here is part of a log. A log line has a time of day; everything else is noise. Services stand in brackets or after svc=.',
    'Read this log, in which several writers used several layouts. Lines without a time of day do not count; the service is in brackets or after svc=.',
    'A tired machine wrote the following. Each true line holds a time, a level, a service (in brackets or after svc=), a job and how long it took.',
  ],
  finds: [
    (service, level) =>
      `Exactly one line of level ${level} comes from the service ${service}. Which job does it name? Answer with the job, exactly as printed, such as X-0000.`,
    (service, level) =>
      `Find the job that the service ${service} reported at level ${level}. Answer with the job, exactly as printed, such as X-0000.`,
  ],
  counts: [
    (service, level) =>
      `How many lines of level ${level} come from the service ${service}? ${number_format}`,
    (service, level) => `Count the ${level} lines of the service ${service}. ${number_format}`,
  ],
  sums: [
    (service, level) =>
      `How many ms did the jobs take in all that the service ${service} reported at level ${level}? ${number_format}`,
    (service, level) =>
      `Add up the took values of the ${level} lines of the service ${service}. ${number_format}`,
  ],
};

const services = 'billing mailer search pantry door cellar ledger printer'.split(' ');
const notes = [
  'done',
  '"retry after error"',
  '"no error this time"',
  'queue=7',
  '"asked the door twice"',
  'cache=warm',
  '"debug flag cleared"',
];
