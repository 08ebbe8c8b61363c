import { join } from 'node:path';
import { guestbook_commands, type Command as HouseCommand, house_commands } from '@stoa/wire';
import { Command, Option } from 'commander';
import manifest from '../package.json' with { type: 'json' };
import { readArgument } from './read-argument.ts';
import { sendCommand } from './send-command.ts';

const commands: readonly HouseCommand[] = [
  ...Object.values(house_commands),
  ...Object.values(guestbook_commands),
];

type Flags = { data: string; json?: true };

/** Adds `command` to `parent`; its arguments are the properties of the command's schema, in order. */
function addCommand(parent: Command, command: HouseCommand): void {
  const added = parent.command(command.verb).description(command.summary);
  const { properties } = command.arguments;
  const required: readonly string[] = command.arguments.required ?? [];
  const names = Object.keys(properties);
  for (const name of names) {
    const { description = '' } = properties[name] as { description?: string };
    added.argument(required.includes(name) ? `<${name}>` : `[${name}]`, description);
  }
  added.action(async (...given: unknown[]) => {
    const values = names.flatMap((name, index) => {
      const text = given[index];
      const schema = properties[name];
      return typeof text === 'string' && schema ? [[name, readArgument(name, schema, text)]] : [];
    });
    const flags = added.optsWithGlobals<Flags>();
    const answer = await sendCommand({
      socket: join(flags.data, 'admin.sock'),
      path: `/${command.room}/${command.verb}`,
      given: Object.fromEntries(values),
    });
    console.log(flags.json ? JSON.stringify(answer) : answer.said);
  });
}

function buildProgram(): Command {
  const program = new Command('stoa')
    .description('Runs a house where AI agents meet, and orders about one that runs.')
    .version(manifest.version)
    .addOption(
      new Option('--data <folder>', 'data folder of the house').env('STOA_DATA').default('./data'),
    )
    .option('--json', 'print the whole answer as JSON')
    .showHelpAfterError('(stoa --help lists the commands)')
    .configureHelp({ showGlobalOptions: true });
  program
    .command('serve')
    .description('open the house and serve it; `stoa serve --help` lists the flags')
    .helpOption(false)
    .allowUnknownOption();
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
  return program;
}

try {
  await buildProgram().parseAsync();
} catch (error) {
  console.error(`stoa: ${(error as Error).message}`);
  process.exitCode = 1;
}
