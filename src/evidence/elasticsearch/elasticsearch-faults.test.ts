import {
  elasticsearchContentFaults,
  startFakeElasticsearch,
} from '../../../tests/support/fakes/elasticsearch.ts';
import {
  elasticsearchSource,
  pushToElasticsearch,
} from '../../../tests/support/fakes/elasticsearch-under-test.ts';
import { testFaults } from '../../../tests/support/log-store-faults.ts';

for (const like of ['elasticsearch', 'plain'] as const) {
  testFaults({
    kind: like === 'plain' ? 'Elasticsearch without points in time' : 'Elasticsearch',
    contentFaults: elasticsearchContentFaults,
    pagePaths: like === 'plain' ? null : /^\/_search$/,
    start: options => startFakeElasticsearch({ ...options, like }),
    push: pushToElasticsearch,
    source: elasticsearchSource,
    settings: cluster => ({ terms: { cluster } }),
  });
}
