import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import { StartupError } from '../core/errors.ts';
import { bufferPool } from './buffers.ts';
import { createSource, sourceKinds } from './source-kinds.ts';

/** What lies beside the sources and is none. */
const machinery = ['command', 'http-client', 'log-store'];

const log = { debug() {}, info() {}, warn() {}, error() {}, child: () => log };
const tools = {
  clock: { now: () => 0n, elapsedMs: () => 0, after: () => () => {} },
  log,
  buffers: bufferPool(),
  random: () => 0.5,
};

const kinds = sourceKinds.map(entry => entry.kind);

test('the list of kinds and the folder agree', () => {
  const names = readdirSync(import.meta.dirname, { withFileTypes: true })
    .filter(entry => entry.isDirectory())
    .map(entry => entry.name)
    .filter(name => !machinery.includes(name));
  assert.deepEqual(names.sort(), kinds.toSorted());
});

test('a source is opened by its kind', () => {
  const source = createSource({ kind: 'files', name: 'logs', roots: ['/var/log'] }, 'sources.0', tools);
  assert.equal(source.name, 'logs');
  assert.ok(source.origins.includes('kernel'));
});

test('mistakes stop the start, with their place', () => {
  assert.throws(() => createSource({ kind: 'fils', name: 'x' }, 'sources.2', tools), {
    name: StartupError.name,
    message: `sources.2: kind: "fils" is no kind of source: known are ${kinds.join(', ')}`,
  });
  assert.throws(
    () => createSource({ kind: 'files', name: 'x', roots: [''], timezone: 'Mars' }, 'sources.1', tools),
    { message: /^sources\.1: roots\.0: .*\nsources\.1: timezone: / },
  );
});
