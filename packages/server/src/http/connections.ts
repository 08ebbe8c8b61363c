import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** The connections of an HTTP server that is about to close. */
export type Connections = {
  /**
   * Cuts those on which no request is under way, and those that come from now on; each of the others ends
   * with its answer.
   */
  release(): void;
};

/**
 * Watches the connections of `server`. Left to itself, one that closes goes on for as long as anybody
 * holds a connection who has not sent a request yet, or who was answered while it closed and had asked
 * to be kept alive: Node stops its timers for them.
 */
export function watchConnections(server: Server): Connections {
  const answers = new Map<Socket, ServerResponse[]>();
  let is_released = false;

  // One for all answers: a closure for each is felt.
  function closed(this: ServerResponse): void {
    const { socket } = this.req;
    const under_way = answers.get(socket);
    under_way?.splice(under_way.indexOf(this), 1);
    if (is_released && under_way?.length === 0) socket.end();
  }

  server.on('connection', (socket: Socket) => {
    if (is_released) {
      socket.destroy();
      return;
    }
    answers.set(socket, []);
    socket.once('close', () => answers.delete(socket));
  });
  server.on('request', ({ socket }, response: ServerResponse) => {
    answers.get(socket)?.push(response);
    response.on('close', closed);
  });

  return {
    release() {
      is_released = true;
      for (const [socket, under_way] of answers) {
        if (under_way.length === 0) socket.destroy();
        // Puts `Connection: close` into every head that is still to be written.
        for (const response of under_way) response.shouldKeepAlive = false;
      }
    },
  };
}
