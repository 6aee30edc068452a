import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** Tells of each connection whether something is asked by it. */
export interface Connections {
  busy(socket: Socket): void;
  silent(socket: Socket): void;
}

/**
 * Holds at most so many connections: for one more, that which has been silent the longest goes, so that nobody shuts
 * others out by connecting and saying nothing. Where all are being served, the new one goes.
 */
export function limitConnections(server: Pick<Server, 'on'>, most: number): Connections {
  /** The longest silent first. By the peer, since a connection over TLS has two sockets; those of a Unix socket have no name. */
  const quiet = new Map<string, Socket>();
  let open = 0;

  function silent(socket: Socket): void {
    const peer = peerOf(socket);
    quiet.delete(peer);
    if (peer !== '' && !socket.destroyed) quiet.set(peer, socket);
  }

  server.on('connection', (socket: Socket) => {
    const peer = peerOf(socket);
    open += 1;
    socket.once('close', () => {
      open -= 1;
      quiet.delete(peer);
    });
    if (open > most) {
      const [longest] = quiet.values();
      (longest ?? socket).destroy();
    }
    silent(socket);
  });
  return {
    silent,
    busy: socket => quiet.delete(peerOf(socket)),
  };
}

function peerOf({ remoteAddress, remotePort }: Socket): string {
  return remotePort === undefined ? '' : `${remoteAddress} ${remotePort}`;
}
