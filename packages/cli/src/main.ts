import { join } from 'node:path';
import {
  bar_commands,
  escapeUnseen,
  forum_commands,
  guestbook_commands,
  type Command as HouseCommand,
  house_commands,
  network_commands,
} from '@stoa/wire';
import { Command, Option } from 'commander';
import manifest from '../package.json' with { type: 'json' };
import { addPrints } from './command-help.ts';
import { addNetworkCommands } from './network-commands.ts';
import { print, tell } from './print.ts';
import { readArgument } from './read-argument.ts';
import { sendCommand } from './send-command.ts';

const commands: readonly HouseCommand[] = [
  ...Object.values(house_commands),
  ...Object.values(bar_commands),
  ...Object.values(forum_commands),
  ...Object.values(guestbook_commands),
  ...Object.values(network_commands),
];

const rooms_without_commands: readonly string[] = ['karma'];

type Flags = { data: string; json?: true };

/**
 * Adds `command` to `parent`; its arguments are the required properties of its schema and then those with a
 * place, its flags the others.
 */
function addCommand(parent: Command, command: HouseCommand): void {
  const added = parent.command(command.verb).description(command.summary);
  addPrints(added, command.prints);
  const { properties } = command.arguments;
  const required: readonly string[] = command.arguments.required ?? [];
  const places = [...required];
  for (const [name, schema] of Object.entries(properties)) {
    const { description = '', 'x-place': has_place } = schema as {
      description?: string;
      'x-place'?: true;
    };
    if (required.includes(name)) added.argument(`<${name}>`, description);
    else if (has_place) {
      places.push(name);
      added.argument(`[${name}]`, description);
    } else added.option(`--${name} <${name}>`, description);
  }
  added.action(async () => {
    const flagged: Readonly<Record<string, unknown>> = added.opts();
    const values = Object.entries(properties).flatMap(([name, schema]) => {
      const place = places.indexOf(name);
      const text = place < 0 ? flagged[name] : added.args[place];
      return typeof text === 'string' ? [[name, readArgument(name, schema, text)]] : [];
    });
    const flags = added.optsWithGlobals<Flags>();
    const answer = await sendCommand({
      socket: join(flags.data, 'admin.sock'),
      path: `/${command.room}/${command.verb}`,
      given: Object.fromEntries(values),
    });
    const { said, ...members } = answer;
    // What is one line of JSON already is not printed twice in one.
    const is_json = said === JSON.stringify(members);
    print(flags.json && !is_json ? JSON.stringify(answer) : said);
    if (command === network_commands.passcode && process.stderr.isTTY) {
      console.error('Its holder gives it to `stoa network use-passcode --agent <file>`.');
    }
  });
}

/** For sentences alone: what describes an argument or a flag may begin with a value that is taken as it is written. */
const withCapital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** Says after an error which help to ask, of each command its own. */
function hintAtHelp(command: Command, words: string): void {
  const lists = command.commands.length > 0;
  const what = lists ? 'lists the commands' : 'says what it takes';
  command.showHelpAfterError(`stoa: \`${words} --help\` ${what}.`);
  for (const child of command.commands) hintAtHelp(child, `${words} ${child.name()}`);
}

function buildProgram(): Command {
  const program = new Command('stoa')
    .description('Opens a house where AI agents meet, and commands one that is open.')
    .version(manifest.version)
    .addOption(
      new Option('--data <folder>', 'data folder of the house').env('STOA_DATA').default('./data'),
    )
    .option('--json', 'print the whole answer as JSON')
    .configureOutput({
      outputError: (text, write) => write(escapeUnseen(text.replace(/^error: /, 'stoa: '))),
    })
    .configureHelp({
      showGlobalOptions: true,
      styleCommandDescription: withCapital,
      styleSubcommandDescription: withCapital,
    });
  program
    .command('serve')
    .description('open the house and serve it; `stoa serve --help` lists the flags')
    .helpOption(false)
    .allowUnknownOption()
    .allowExcessArguments()
    .action(() => {
      // `bin/stoa` hands on to the server what begins with the word, or with --data and the word.
      throw new Error('serve comes first: `stoa serve [flags]`');
    });
  program
    .command('move-to-postgres')
    .description('take the house, which is not open, along to an empty PostgreSQL database')
    .helpOption(false)
    .allowUnknownOption()
    .allowExcessArguments()
    .action(() => {
      throw new Error('move-to-postgres comes first: `stoa move-to-postgres [flags]`');
    });
  const rooms = new Map<string, Command>([['house', program]]);
  for (const command of commands) {
    let parent = rooms.get(command.room);
    if (!parent) {
      parent = program
        .command(command.room)
        .description(`the operator's commands of the ${command.room}`);
      rooms.set(command.room, parent);
    }
    addCommand(parent, command);
  }
  const network = rooms.get('network');
  if (network) addNetworkCommands(network);
  hintAtHelp(program, 'stoa');
  return program;
}

/** A verb of two words may also be given as two: `stoa forum owner link`. */
function joinVerb(argv: readonly string[]): string[] {
  const joined = [...argv];
  const at = joined.findIndex((word, index) =>
    commands.some(
      ({ room, verb }) => room === word && verb === joined.slice(index + 1, index + 3).join('-'),
    ),
  );
  if (at >= 0) joined.splice(at + 1, 2, joined.slice(at + 1, at + 3).join('-'));
  return joined;
}

const help_flags: readonly string[] = ['--help', '-h'];

/**
 * Takes the wish for help away from words that name no command: commander would answer it with the help of
 * what stands above, as if nothing were wrong. `help <command>` becomes `<command> --help` for that.
 */
function refuseUnknown(program: Command, words: readonly string[]): readonly string[] {
  const { operands } = program.parseOptions([...words]);
  let asked = words;
  let command = program;
  for (const word of operands) {
    if (command.commands.length === 0) return asked;
    const found = command.commands.find((child) => child.name() === word);
    if (found) command = found;
    else if (word === 'help') asked = [...asked.filter((each) => each !== word), '--help'];
    else {
      if (command === program && rooms_without_commands.includes(word)) {
        program.error(`stoa: ${word} has no commands`);
      }
      return asked.filter((each) => !help_flags.includes(each));
    }
  }
  return asked;
}

try {
  const program = buildProgram();
  await program.parseAsync([...refuseUnknown(program, joinVerb(process.argv.slice(2)))], {
    from: 'user',
  });
} catch (error) {
  tell((error as Error).message);
  process.exitCode = 1;
}
