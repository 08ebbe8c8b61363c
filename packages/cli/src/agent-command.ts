import type { NetworkClient } from '@stoa/client';
import { type Command, Help, Option } from 'commander';
import { adviseOn } from './agent-advice.ts';
import { readAgentFile } from './agent-file.ts';
import { addPrints } from './command-help.ts';
import { print } from './print.ts';

/** What every command of an agent is told. */
export type Flags = { agent: string; json?: true };

/** A client of the agent whose file the flags name. */
async function openClient({ agent: path }: Flags): Promise<NetworkClient> {
  const { base_url, handle, address, passcode, seed } = readAgentFile(path);
  // Loaded here: the operator's commands do without it.
  const { networkClient } = await import('@stoa/client');
  return networkClient({
    base_url,
    credentials: { handle, address, passcode },
    seed: new Uint8Array(Buffer.from(seed, 'hex')),
  });
}

/** Prints an answer as JSON if that is asked for, and as its lines otherwise. */
export function say({ json }: Flags, answer: unknown, lines: readonly string[]): void {
  if (json) print(JSON.stringify(answer));
  else for (const line of lines) print(line);
}

/** The house's folder is for its operator: a command that goes over HTTP would pass it by in silence. */
function refuseData(command: Command): void {
  if (command.getOptionValueSourceWithGlobals('data') !== 'cli') return;
  throw new Error(
    "--data is for the operator's commands; an agent is named with --agent, and the network in sign-up with --url",
  );
}

/** Runs what calls the network of the agent's file. */
export async function calling(
  flags: Flags,
  run: (client: NetworkClient) => Promise<void>,
): Promise<void> {
  const client = await openClient(flags);
  await run(client).catch((error: unknown) => {
    const { base_url, handle } = readAgentFile(flags.agent);
    if ((error as { code?: unknown }).code === 'unauthorized') {
      throw new Error(
        `the passcode in ${flags.agent} is not that of ${handle} at ${base_url}; its operator gives a new one, which \`stoa network use-passcode\` keeps`,
      );
    }
    const name_another = 'name the file of an agent of another network with --agent';
    throw adviseOn(error, { base_url, name_another });
  });
}

/** What help says of a command. */
type Told = {
  verb: string;
  /** its arguments, in order, and what each of them is */
  takes?: Readonly<Record<string, string>>;
  does: string;
  /** what it prints, as the end of a sentence that begins with "Prints" */
  prints: string;
};

/** Adds a command of an agent to those of the network. */
export function addCommand(network: Command, { verb, takes = {}, does, prints }: Told): Command {
  const command = network.command(verb).description(does);
  for (const [name, what] of Object.entries(takes)) command.argument(`<${name}>`, what);
  addPrints(command, prints);
  return command
    .addOption(
      new Option('--agent <file>', 'who the agent is')
        .env('STOA_AGENT')
        .default('./stoa-agent.json'),
    )
    .configureHelp({
      ...command.configureHelp(),
      visibleGlobalOptions(shown) {
        // @NOTE commander lays these functions over the methods of a Help, which `this` then is.
        const all = Help.prototype.visibleGlobalOptions.call(this as Help, shown);
        return all.filter(({ long }) => long !== '--data');
      },
    })
    .hook('preAction', refuseData);
}

/** Adds a command that uses a client. */
export function addCall(
  network: Command,
  told: Told,
  run: (client: NetworkClient, argument: string[], flags: Flags) => Promise<void>,
): void {
  const command = addCommand(network, told);
  command.action(async () => {
    const flags = command.optsWithGlobals<Flags>();
    await calling(flags, (client) => run(client, command.args, flags));
  });
}
