import { request } from 'node:http';

/** What a house answers to a command; `said` is for the operator. */
export type CommandAnswer = { said: string } & Record<string, unknown>;

/**
 * Sends a command to the house that listens on the Unix socket at `socket` and answers what it said.
 * Throws with a sentence for the operator if no house is there or it refuses.
 */
export async function sendCommand(order: {
  socket: string;
  path: string;
  given: Record<string, unknown>;
}): Promise<CommandAnswer> {
  const body = JSON.stringify(order.given);
  const { status, text } = await new Promise<{ status: number; text: string }>(
    (resolve, reject) => {
      const sent = request(
        {
          socketPath: order.socket,
          path: order.path,
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            'content-length': Buffer.byteLength(body),
          },
        },
        async (response) => {
          const chunks = await response.toArray();
          resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() });
        },
      );
      sent.on('error', (error: NodeJS.ErrnoException) => reject(unreachable(error, order.socket)));
      sent.end(body);
    },
  );
  const answer = JSON.parse(text) as CommandAnswer & { error?: { message: string } };
  if (status !== 200) throw new Error(answer.error?.message ?? `the house answered ${status}`);
  return answer;
}

function unreachable(error: NodeJS.ErrnoException, socket: string): Error {
  if (['ENOENT', 'ENOTDIR', 'ECONNREFUSED'].includes(error.code ?? '')) {
    return new Error(
      `no house is open on ${socket}; start one with \`stoa serve\`, or name its data folder with --data`,
    );
  }
  if (error.code === 'EACCES') {
    return new Error(`${socket} is for the user who runs the house; become that user`);
  }
  return error;
}
