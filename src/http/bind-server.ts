import { chmodSync, lstatSync, unlinkSync } from 'node:fs';
import { connect, type Server } from 'node:net';
import { type ListenAddress, listenFailure } from './listen-address.ts';

/** Owner and group may connect: the group is how an operator lets a caller in. */
const socketMode = 0o660;

/** Binds a server; resolves to the address bound (port 0 chooses one). `setting` chooses another. Throws StartupError. */
export async function bindServer<Address extends ListenAddress>(
  server: Server,
  address: Address,
  options: { readonly backlog: number; readonly setting: string },
): Promise<Address> {
  const { backlog, setting } = options;
  try {
    if ('socket' in address) await removeDeadSocket(address.socket);
    await new Promise<void>((resolve, reject) => {
      const place = 'socket' in address ? { path: address.socket } : { host: address.host, port: address.port };
      server.once('error', reject);
      server.listen({ ...place, backlog }, () => {
        server.off('error', reject);
        resolve();
      });
    });
  } catch (error) {
    throw listenFailure(address, error, setting);
  }
  if ('socket' in address) {
    chmodSync(address.socket, socketMode);
    return address;
  }
  const bound = server.address();
  return typeof bound === 'object' && bound !== null ? { ...address, port: bound.port } : address;
}

/** A process that was killed leaves its socket behind; one on which somebody listens stays. */
async function removeDeadSocket(path: string): Promise<void> {
  if (lstatSync(path, { throwIfNoEntry: false })?.isSocket() !== true) return;
  const isAlive = await new Promise<boolean>(resolve => {
    const probe = connect(path, () => {
      probe.destroy();
      resolve(true);
    });
    probe.once('error', () => resolve(false));
  });
  if (!isAlive) unlinkSync(path);
}
