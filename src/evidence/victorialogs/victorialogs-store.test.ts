import { startFakeVictoriaLogs } from '../../../tests/support/fakes/victorialogs.ts';
import { victoriaLogsUnderTest } from '../../../tests/support/fakes/victorialogs-under-test.ts';
import { testLogStore } from '../../../tests/support/log-store-suite.ts';

// With VICTORIALOGS_URL the same suite runs against that server, which is filled with lines of clusters of its own.
const real = process.env['VICTORIALOGS_URL'];

testLogStore(real === undefined ? 'VictoriaLogs (fake)' : 'VictoriaLogs', async () => {
  if (real !== undefined) return victoriaLogsUnderTest(real, () => Promise.resolve());
  const server = await startFakeVictoriaLogs();
  return victoriaLogsUnderTest(server.url, () => server.close());
});
