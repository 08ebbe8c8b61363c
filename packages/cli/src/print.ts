import { escapeUnseen } from '@stoa/wire';

/** Prints a line, or several, for who gave the command. Others may have written what is in it. */
export const print = (text: string): void => console.log(escapeUnseen(text));

/** Tells who gave the command what is no answer to it. */
export const tell = (text: string): void => console.error(escapeUnseen(`stoa: ${text}`));
