import type { Static, TObject } from 'typebox';

/** One thing the operator can order a running house to do, over its admin socket: `stoa <room> <verb> …`. */
export type Command = {
  /** The room's name, or `house` for what concerns the whole; house commands are called `stoa <verb> …`. */
  readonly room: string;
  readonly verb: string;
  readonly summary: string;
  /** What it prints, as the end of a sentence that its help begins with "Prints". */
  readonly prints: string;
  /**
   * Required properties, in order, are the command's arguments; optional ones are its flags, or with `'x-place'`
   * arguments that may be left out.
   */
  readonly arguments: TObject;
  /** What is answered; `said` is the sentence shown to the operator. */
  readonly answer: TObject;
};

/** Declares a command, keeping its exact types. */
export function command<const C extends Command>(spec: C): C {
  return spec;
}

/** The arguments of a command, validated. */
export type Arguments<C extends Command> = Static<C['arguments']>;

/** The answer of a command. */
export type CommandAnswer<C extends Command> = Static<C['answer']>;
