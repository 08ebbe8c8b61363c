// Loaded into a server before its own modules: once it is told to by SIGUSR2, it counts what its writing connection is
// asked and has answered, and kills its process at step number `STOA_TEST_KILL_AT`.
import Database from 'better-sqlite3';
import { Client } from 'pg';

const kill_at = Number(process.env.STOA_TEST_KILL_AT);

let is_armed = false;
let steps = 0;

process.on('SIGUSR2', () => {
  is_armed = true;
  process.stdout.write('armed\n');
});

/** What begins and ends a unit of work, and all in between. */
let is_writing = false;

function before(text: string): void {
  if (/^begin\b/i.test(text)) is_writing = true;
  if (is_writing) step();
}

function after(text: string): void {
  if (is_writing) step();
  if (/^(commit|rollback)$/i.test(text)) is_writing = false;
}

function step(): void {
  if (!is_armed) return;
  steps += 1;
  if (steps >= kill_at) process.kill(process.pid, 'SIGKILL');
}

type Statement = { readonly source: string } & Record<string, (...given: unknown[]) => unknown>;

const scratch = new Database(':memory:');
// @NOTE All statements of the driver have this prototype, which its types do not show.
const statement: Statement = Object.getPrototypeOf(scratch.prepare('select 1'));
scratch.close();
for (const method of ['run', 'get', 'all']) {
  const run = statement[method];
  if (!run) throw new Error(`a statement has no ${method}`);
  statement[method] = function (this: Statement, ...given) {
    before(this.source);
    const answer = run.apply(this, given);
    after(this.source);
    return answer;
  };
}

const { query } = Client.prototype;
// @NOTE Whatever form of a query is given is passed on as it is.
Client.prototype.query = function (this: Client, ...given: unknown[]) {
  const [first] = given as [string | { text: string }];
  const text = typeof first === 'string' ? first : first.text;
  before(text);
  const answer = Reflect.apply(query, this, given);
  void Promise.resolve(answer).then(
    () => after(text),
    () => {},
  );
  return answer;
} as typeof query;
