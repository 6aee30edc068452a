import { lokiContentFaults, startFakeLoki } from '../../../tests/support/fakes/loki.ts';
import { lokiSource, pushToLoki } from '../../../tests/support/fakes/loki-under-test.ts';
import { testFaults } from '../../../tests/support/log-store-faults.ts';

testFaults({
  kind: 'Loki',
  contentFaults: lokiContentFaults,
  pagePaths: /query_range$/,
  start: startFakeLoki,
  push: pushToLoki,
  source: lokiSource,
  settings: cluster => ({ matchers: `{cluster="${cluster}"}` }),
});
