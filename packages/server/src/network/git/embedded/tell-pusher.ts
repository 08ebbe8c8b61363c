/** The lines of the protocol begin with their length in so many hexadecimal digits; it counts them, too. */
const length_digits = 4;
/** Ends what is said over several channels. */
const flush = '0000';

/** The channels of an answer: what git reads, and what it shows to its user. */
const data_channel = 1;
const told_channel = 2;

const line_octets_max = 1_000;

/** Whether an answer of git has channels, which it has if the client asked for them, and ends as it should. */
function hasChannels(answer: Buffer): boolean {
  const channel = answer[length_digits];
  if (channel !== data_channel && channel !== told_channel) return false;
  return answer.toString('latin1', answer.length - length_digits) === flush;
}

/**
 * Adds lines to the answer of a push, which git shows to who pushes as `remote: …`, as it shows what a hook
 * of a server says. A client that has no channel for them gets the answer as it is.
 */
export function tellPusher(answer: Buffer, lines: readonly string[]): Buffer {
  if (lines.length === 0 || !hasChannels(answer)) return answer;
  const told = lines.map((line) => {
    const text = Buffer.from(`${line}\n`).subarray(0, line_octets_max);
    const length = length_digits + 1 + text.length;
    const head = Buffer.from(length.toString(16).padStart(length_digits, '0'));
    return Buffer.concat([head, Buffer.from([told_channel]), text]);
  });
  const end = answer.length - length_digits;
  return Buffer.concat([answer.subarray(0, end), ...told, answer.subarray(end)]);
}
