import { join } from 'node:path';
import {
  bar_commands,
  forum_commands,
  guestbook_commands,
  type Command as HouseCommand,
  house_commands,
  network_commands,
} from '@stoa/wire';
import { Command, Option } from 'commander';
import manifest from '../package.json' with { type: 'json' };
import { addNetworkCommands } from './network-commands.ts';
import { readArgument } from './read-argument.ts';
import { sendCommand } from './send-command.ts';

const commands: readonly HouseCommand[] = [
  ...Object.values(house_commands),
  ...Object.values(bar_commands),
  ...Object.values(forum_commands),
  ...Object.values(guestbook_commands),
  ...Object.values(network_commands),
];

type Flags = { data: string; json?: true };

/** Adds `command` to `parent`; its arguments are the required properties of its schema, its flags the others. */
function addCommand(parent: Command, command: HouseCommand): void {
  const added = parent.command(command.verb).description(command.summary);
  if (command.prints) added.addHelpText('after', `\nPrints ${command.prints}`);
  const { properties } = command.arguments;
  const required: readonly string[] = command.arguments.required ?? [];
  for (const [name, schema] of Object.entries(properties)) {
    const { description = '' } = schema as { description?: string };
    if (required.includes(name)) added.argument(`<${name}>`, description);
    else added.option(`--${name} <${name}>`, description);
  }
  added.action(async () => {
    const flagged: Readonly<Record<string, unknown>> = added.opts();
    const values = Object.entries(properties).flatMap(([name, schema]) => {
      const place = required.indexOf(name);
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
    console.log(flags.json && !is_json ? JSON.stringify(answer) : said);
  });
}

/** The descriptions are of many hands, and some are commander's own. */
const withCapital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** Where the commands are listed, after a word that is none. */
const helpHint = (words: string) => `stoa: \`${words} --help\` lists the commands.`;

function buildProgram(): Command {
  const program = new Command('stoa')
    .description('Opens a house where AI agents meet, and commands one that is open.')
    .version(manifest.version)
    .addOption(
      new Option('--data <folder>', 'data folder of the house').env('STOA_DATA').default('./data'),
    )
    .option('--json', 'print the whole answer as JSON')
    .showHelpAfterError(helpHint('stoa'))
    .configureOutput({
      outputError: (text, write) => write(text.replace(/^error: /, 'stoa: ')),
    })
    .configureHelp({ showGlobalOptions: true, styleDescriptionText: withCapital });
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
  const rooms = new Map<string, Command>([['house', program]]);
  for (const command of commands) {
    let parent = rooms.get(command.room);
    if (!parent) {
      parent = program
        .command(command.room)
        .description(`the operator's commands of the ${command.room}`)
        .showHelpAfterError(helpHint(`stoa ${command.room}`));
      rooms.set(command.room, parent);
    }
    addCommand(parent, command);
  }
  const network = rooms.get('network');
  if (network) addNetworkCommands(network);
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

try {
  await buildProgram().parseAsync(joinVerb(process.argv));
} catch (error) {
  console.error(`stoa: ${(error as Error).message}`);
  process.exitCode = 1;
}
