import { startFakeLoki } from '../../../tests/support/fakes/loki.ts';
import { lokiUnderTest } from '../../../tests/support/fakes/loki-under-test.ts';
import { testLogStore } from '../../../tests/support/log-store-suite.ts';

// With LOKI_URL the same suite runs against that server, which is filled with lines of clusters of its own.
const real = process.env['LOKI_URL'];

testLogStore(real === undefined ? 'Loki (fake)' : 'Loki', async () => {
  if (real !== undefined) return lokiUnderTest(real, () => Promise.resolve());
  const server = await startFakeLoki();
  return lokiUnderTest(server.url, () => server.close());
});
