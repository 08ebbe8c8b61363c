import { type Command, Help } from 'commander';

const width_unless_terminal = 80;

/** Adds to the help of a command what it prints, wrapped as the rest of it. */
export function addPrints(command: Command, prints: string): void {
  command.addHelpText('after', () => {
    const width = command.configureOutput().getOutHelpWidth?.() ?? width_unless_terminal;
    return `\n${new Help().boxWrap(`Prints ${prints}`, width)}`;
  });
}
