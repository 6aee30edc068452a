import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';

/** Requests that may be sent ahead on one connection; no client of ours sends any. */
const mostAhead = 16;

/**
 * Serves the requests of one connection one after the other, each once the answer before it is on its way: what is sent
 * ahead would else be worked for all at once, and its answers kept for somebody who may never read them. Who sends more
 * ahead than is sensible is cut off.
 */
export function oneAtATime(serve: RequestListener): RequestListener {
  const waiting = new WeakMap<Socket, (() => void)[]>();

  function goOn(socket: Socket): void {
    const next = socket.destroyed ? undefined : waiting.get(socket)?.shift();
    if (next === undefined) waiting.delete(socket);
    else next();
  }

  return (request, response) => {
    const { socket } = request;
    if (socket.destroyed) return;
    const start = (): void => {
      response.once('close', () => goOn(socket));
      serve(request, response);
    };
    const ahead = waiting.get(socket);
    if (ahead === undefined) {
      waiting.set(socket, []);
      start();
    } else if (ahead.length < mostAhead) ahead.push(start);
    else socket.destroy();
  };
}
