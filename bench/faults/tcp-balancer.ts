import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** Hands each connection on to the next of its targets, and past those that take none: it knows nothing of HTTP. */
export interface TcpBalancer {
  readonly port: number;
  /** Which target got the connection that came from this port. */
  targetOf(clientPort: number): number | undefined;
  close(): Promise<void>;
}

/** `targets` are ports of the loopback address, asked for anew for each connection. */
export async function startBalancer(targets: () => readonly number[]): Promise<TcpBalancer> {
  const routes = new Map<number, number>();
  const open = new Set<Socket>();
  let turn = 0;

  function handOn(client: Socket, left: number): void {
    const ports = targets();
    turn += 1;
    const target = turn % ports.length;
    const server = connect(ports[target] ?? 0, '127.0.0.1');
    server.once('connect', () => {
      routes.set(client.remotePort ?? 0, target);
      open.add(server);
      client.pipe(server);
      server.pipe(client);
      server.once('close', () => client.destroy());
      client.once('close', () => server.destroy());
    });
    server.on('error', () => {
      if (server.connecting || routes.get(client.remotePort ?? 0) === target || left === 0) client.destroy();
      else handOn(client, left - 1);
    });
    server.once('close', () => open.delete(server));
  }

  const listener = createServer({ pauseOnConnect: true }, client => {
    open.add(client);
    client.on('error', () => client.destroy());
    client.once('close', () => open.delete(client));
    handOn(client, targets().length);
  }).listen(0, '127.0.0.1');
  await once(listener, 'listening');
  return {
    port: (listener.address() as AddressInfo).port,
    targetOf: clientPort => routes.get(clientPort),
    async close() {
      listener.close();
      for (const socket of open) socket.destroy();
      await once(listener, 'close');
    },
  };
}
