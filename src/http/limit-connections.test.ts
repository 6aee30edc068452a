import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { limitConnections } from './limit-connections.ts';

async function listening(context: { after(run: () => void): void }, most: number) {
  const server = createServer(() => {});
  const connections = limitConnections(server, most);
  const taken: Socket[] = [];
  server.on('connection', (socket: Socket) => taken.push(socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  context.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const open = async (): Promise<{ readonly ours: Socket; readonly theirs: Socket }> => {
    const accepted = once(server, 'connection');
    const ours = connect(port, '127.0.0.1');
    ours.on('error', () => {});
    const [theirs] = (await accepted) as [Socket];
    return { ours, theirs };
  };
  return { connections, open };
}

test('the connection that has been silent the longest makes room for a new one', async context => {
  const { connections, open } = await listening(context, 2);
  const [first, second] = [await open(), await open()];
  // It asked something, and has been answered since.
  connections.busy(first.theirs);
  connections.silent(first.theirs);
  const third = await open();
  await once(second.ours, 'close');
  assert.deepEqual(
    [first, second, third].map(({ theirs }) => theirs.destroyed),
    [false, true, false],
  );
});

test('what is being served is not cut off: the new one goes', async context => {
  const { connections, open } = await listening(context, 1);
  const first = await open();
  connections.busy(first.theirs);
  const second = await open();
  await once(second.ours, 'close');
  assert.equal(first.theirs.destroyed, false);
  first.ours.destroy();
  await once(first.theirs, 'close');
  assert.equal((await open()).theirs.destroyed, false);
});
