import assert from 'node:assert/strict';
import { networkInterfaces } from 'node:os';
import { test } from 'node:test';
import { fakeClock } from '../../tests/support/fake-clock.ts';
import { readSettings } from '../config/read-settings.ts';
import { StartupError } from '../core/errors.ts';
import { refuseSelfReference } from './self-reference.ts';

const names: Readonly<Record<string, readonly string[]>> = {
  localhost: ['::1', '127.0.0.1'],
  'itself.example': ['192.0.2.7', '127.0.1.1'],
  'other.example': ['192.0.2.7'],
  'listener.example': ['192.0.2.8'],
};

async function isRefused(url: string, listen: string): Promise<boolean> {
  const { settings } = readSettings({
    file: null,
    environment: {},
    flags: {
      'provider.kind': 'fact',
      'provider.fact.url': url,
      'attributor.enabled': true,
      'listen.attributor': listen,
    },
  });
  try {
    await refuseSelfReference(settings, fakeClock(), async name => {
      const known = names[name];
      if (known === undefined) throw new Error('ENOTFOUND');
      return known;
    });
    return false;
  } catch (error) {
    assert.ok(error instanceof StartupError);
    assert.match(error.message, /^provider\.fact\.url: \S+ is this adapter's own attributor listener/);
    return true;
  }
}

test('every way to write the own listener down is refused', async () => {
  for (const listen of ['127.0.0.1:8001', 'localhost:8001', '0.0.0.0:8001', '[::]:8001', '[::1]:8001']) {
    for (const host of [
      '127.0.0.1',
      '127.0.0.2',
      '127.1',
      '2130706433',
      'localhost',
      '0.0.0.0',
      '[::]',
      '[::1]',
      '[::ffff:127.0.0.1]',
      'itself.example',
    ]) {
      assert.ok(await isRefused(`http://${host}:8001/latest`, listen), `${host} at ${listen}`);
    }
  }
});

test('an address of an interface is the own listener where that listens at all of them, or at it', async () => {
  const own = Object.values(networkInterfaces())
    .flatMap(entries => entries ?? [])
    .filter(({ family, internal }) => family === 'IPv4' && !internal);
  for (const { address } of own) {
    assert.ok(await isRefused(`http://${address}:8001`, '0.0.0.0:8001'));
    assert.ok(await isRefused(`http://${address}:8001`, '[::]:8001'));
    assert.ok(await isRefused(`http://${address}:8001`, `${address}:8001`));
    assert.equal(await isRefused(`http://${address}:8001`, '127.0.0.1:8001'), false);
  }
  assert.ok(await isRefused('http://192.0.2.8:8001', 'listener.example:8001'));
});

test('others are not refused: another port, another machine, a name nobody knows', async () => {
  for (const [url, listen] of [
    ['http://127.0.0.1:8002', '127.0.0.1:8001'],
    ['https://127.0.0.1', '127.0.0.1:8001'],
    ['http://other.example:8001', '0.0.0.0:8001'],
    ['http://192.0.2.9:8001', '192.0.2.8:8001'],
    ['http://nobody.example:8001', '0.0.0.0:8001'],
    ['http://127.0.0.1:8001', 'unix:/run/attribution.sock'],
  ] as const) {
    assert.equal(await isRefused(url, listen), false, `${url} at ${listen}`);
  }
  assert.ok(await isRefused('http://127.0.0.1', '127.0.0.1:80'));
  assert.ok(await isRefused('https://127.0.0.1', '127.0.0.1:443'));
});
