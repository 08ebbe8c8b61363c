import { existsSync, readFileSync } from 'node:fs';
import { destination, pino } from 'pino';
import { system_clock } from './clock.ts';
import { askedPaper, helpText } from './config/papers.ts';
import { type Config, ConfigError, readConfig } from './config.ts';
import { openHouse, rooms } from './house.ts';
import { MovableClock } from './movable-clock.ts';
import { system_random } from './random.ts';
import { StartError } from './start-fault.ts';
import { version } from './version.ts';

const exit_misconfigured = 2;

function readSettings(): Config {
  try {
    return readConfig({
      argv: process.argv.slice(2),
      env: process.env,
      readFile: (path) => (existsSync(path) ? readFileSync(path, 'utf8') : undefined),
      room_schemas: Object.fromEntries(rooms.map(({ name, settings }) => [name, settings])),
    });
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    for (const problem of error.problems) process.stderr.write(`stoa: ${problem}\n`);
    process.stderr.write('stoa: `stoa serve --help` lists the flags, the README every key.\n');
    process.exit(exit_misconfigured);
  }
}

async function serve(): Promise<void> {
  // The database, its log and the admin socket are for the house's own user, from their first moment.
  process.umask(0o077);
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

  // Who reads our output may go; the house stays, and still closes in order.
  process.stdout.on('error', () => {});
  const say = (line: string) => process.stdout.write(`${line}\n`);

  let is_closing = false;
  const close = async () => {
    if (is_closing) return;
    is_closing = true;
    say('stoa: closing');
    await house.close();
    log_lines.flushSync();
  };
  // Before the line that says it is ready: whoever waits for it may then ask it to close.
  process.on('SIGTERM', close);
  process.on('SIGINT', close);

  for (const [name, base] of Object.entries(house.rooms)) {
    const text = house.texts[name];
    say(`stoa: ${name} at ${base}${text === undefined ? '' : `, for programs: read ${text}`}`);
  }
  if (practice_clock)
    say('stoa: PRACTICE MODE: easy tasks, a movable clock; for this machine alone');
  say(`stoa: listening on ${house.listening}`);
}

const paper = askedPaper(process.argv.slice(2));
if (paper === 'help') process.stdout.write(helpText());
else if (paper === 'version') process.stdout.write(`${version}\n`);
else {
  serve().catch((error: unknown) => {
    const said = error instanceof StartError ? error.message : ((error as Error).stack ?? error);
    process.stderr.write(`stoa: ${said}\n`);
    process.exit(1);
  });
}
