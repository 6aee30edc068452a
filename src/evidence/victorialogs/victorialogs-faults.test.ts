import { startFakeVictoriaLogs, victoriaLogsContentFaults } from '../../../tests/support/fakes/victorialogs.ts';
import {
  pushToVictoriaLogs,
  victoriaLogsSource,
} from '../../../tests/support/fakes/victorialogs-under-test.ts';
import { testFaults } from '../../../tests/support/log-store-faults.ts';

testFaults({
  kind: 'VictoriaLogs',
  contentFaults: victoriaLogsContentFaults,
  // Counts come from the same path as lines.
  pagePaths: /\/query$/,
  start: startFakeVictoriaLogs,
  push: pushToVictoriaLogs,
  source: victoriaLogsSource,
  settings: cluster => ({ matchers: `{cluster="${cluster}"}` }),
});
