import { existsSync, readFileSync } from 'node:fs';
import { escapeUnseen } from '@stoa/wire';
import { destination, pino } from 'pino';
import { system_clock } from './clock.ts';
import { askedPaper, helpText, moveHelpText } from './config/papers.ts';
import { type Config, ConfigError, readConfig } from './config.ts';
import { migrationsOf, openHouse, rooms } from './house.ts';
import { MovableClock } from './movable-clock.ts';
import { moveHouse } from './move-house.ts';
import { system_random } from './random.ts';
import { StartError } from './start-fault.ts';
import { version } from './version.ts';

const exit_misconfigured = 2;

/** The word before the flags that asks for a move in place of a start. */
const move_word = 'move-to-postgres';

const given = process.argv.slice(2);
const is_move = given[0] === move_word;
const flags = is_move ? given.slice(1) : given;

// What a line names may come from elsewhere, and is not to move the operator's cursor or hide.
const lineOf = (text: unknown) => escapeUnseen(`stoa: ${text}\n`);
const say = (text: string) => process.stdout.write(lineOf(text));
const complain = (text: unknown) => process.stderr.write(lineOf(text));

function readSettings(): Config {
  try {
    return readConfig({
      argv: flags,
      env: process.env,
      readFile: (path) => (existsSync(path) ? readFileSync(path, 'utf8') : undefined),
      room_schemas: Object.fromEntries(rooms.map(({ name, settings }) => [name, settings])),
    });
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    for (const problem of error.problems) complain(problem);
    const asked = `stoa ${is_move ? move_word : 'serve'} --help`;
    complain(`\`${asked}\` lists the flags, the README every key.`);
    process.exit(exit_misconfigured);
  }
}

async function serve(): Promise<void> {
  const config = readSettings();
  const log_lines = destination({ fd: 1, sync: false });
  const logger = pino({ level: config.log_level, base: null }, log_lines);
  const practice_clock = config.practice ? new MovableClock(system_clock) : undefined;
  const house = await openHouse({
    config,
    clock: practice_clock ?? system_clock,
    random: system_random,
    logger,
    ...(practice_clock ? { practice_clock } : {}),
  });

  let is_closing = false;
  const close = async () => {
    if (is_closing) return;
    is_closing = true;
    say('closing');
    await house.close();
    log_lines.flushSync();
  };
  // Before the line that says it is ready: whoever waits for it may then ask it to close.
  process.on('SIGTERM', close);
  process.on('SIGINT', close);

  for (const [name, base] of Object.entries(house.rooms)) {
    const text = house.texts[name];
    say(`${name} at ${base}${text === undefined ? '' : `, for programs: read ${text}`}`);
  }
  if (practice_clock) say('PRACTICE MODE: easy tasks, a movable clock; for this machine alone');
  for (const notice of house.notices) say(notice);
  say(`listening on ${house.listening}`);
}

const move = () => moveHouse({ config: readSettings(), rooms, migrationsOf, say });

const paper = askedPaper(flags);
if (paper === 'help') process.stdout.write(is_move ? moveHelpText() : helpText());
else if (paper === 'version') process.stdout.write(`${version}\n`);
else {
  // The database, its log and the admin socket are for the house's own user, from their first moment.
  process.umask(0o077);
  // Who reads our output may go; the house stays, and still closes in order.
  process.stdout.on('error', () => {});
  (is_move ? move() : serve()).catch((error: unknown) => {
    const said = error instanceof StartError ? error.message : ((error as Error).stack ?? error);
    complain(said);
    process.exit(1);
  });
}
