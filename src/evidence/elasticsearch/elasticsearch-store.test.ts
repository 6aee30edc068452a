import { startFakeElasticsearch } from '../../../tests/support/fakes/elasticsearch.ts';
import { elasticsearchUnderTest } from '../../../tests/support/fakes/elasticsearch-under-test.ts';
import { testLogStore } from '../../../tests/support/log-store-suite.ts';

// With ELASTICSEARCH_URL the same suite runs against that server, in an index of its own.
const real = process.env['ELASTICSEARCH_URL'];

if (real !== undefined) {
  testLogStore('Elasticsearch', async () => elasticsearchUnderTest(real, () => Promise.resolve()));
} else {
  for (const [kind, options] of [
    ['Elasticsearch (fake)', {}],
    ['OpenSearch (fake)', { like: 'opensearch', shardDoc: false }],
    ['Elasticsearch without points in time (fake)', { like: 'plain' }],
  ] as const) {
    testLogStore(kind, async () => {
      const server = await startFakeElasticsearch(options);
      return elasticsearchUnderTest(server.url, () => server.close());
    });
  }
}
