import { formatNanos } from '../../../src/core/time.ts';
import * as elasticsearch from '../../../src/evidence/elasticsearch/answers.ts';
import { parseElasticsearchSettings } from '../../../src/evidence/elasticsearch/settings.ts';
import { parseQueryAnswer } from '../../../src/evidence/files/query-answer.ts';
import { type Expected, parseContent } from '../../../src/evidence/http-client/content.ts';
import { statusFailure } from '../../../src/evidence/http-client/failure.ts';
import { edgePage, type StoredStream } from '../../../src/evidence/log-store/edge-page.ts';
import { parseMatchers } from '../../../src/evidence/log-store/matchers.ts';
import { decodeLine } from '../../../src/evidence/log-store/stream-lines.ts';
import * as loki from '../../../src/evidence/loki/answers.ts';
import { lostBy, storedStreams } from '../../../src/evidence/loki/streams.ts';
import * as prometheus from '../../../src/evidence/prometheus/answers.ts';
import * as victorialogs from '../../../src/evidence/victorialogs/answers.ts';
import { type FuzzedParser, owes, textParser } from '../fuzzed-parser.ts';

const settings = parseElasticsearchSettings({
  name: 'a',
  kind: 'elasticsearch',
  url: 'http://x',
  index: 'logs-*',
});
if (!settings.ok) throw new Error('the settings of the fuzzed source are wrong');
const content = {
  settings: settings.settings,
  terms: { job: 'kernel' },
  nodeField: 'host.name',
  fileField: 'log.file.path',
};

/** A reader of a server's answers, behind the step that tells JSON from what is none. */
function answerParser(name: string, expected: Expected, run: (value: unknown) => boolean): FuzzedParser {
  return {
    name,
    documents: expected === 'json' ? 'json' : 'text',
    run(input) {
      const parsed = parseContent(Buffer.from(input), expected);
      return parsed.ok && run(parsed.value);
    },
  };
}

/** Pages as they are asked for: what comes out lies in the window, in order, a stamp a line. */
function checkPage(streams: readonly StoredStream[]): void {
  const window = { from: 1_700_000_000_000_000_000n, to: 1_900_000_000_000_000_000n };
  const request = { window, after: null, limit: 100, usualLimit: 100, mostEntries: 1_000 };
  for (const { stamps, lines } of edgePage(streams, request, null).parts) {
    owes(stamps.length === lines.length, 'every line has its stamp');
    let last = window.from;
    for (const stamp of stamps) {
      owes(stamp >= last && stamp < window.to, 'stamps are in order and in the window');
      last = stamp;
    }
    for (const line of lines) owes(!decodeLine(line).includes('\n'), 'a line is one line');
  }
}

/** Answers of log and metric stores. */
export const storeParsers: readonly FuzzedParser[] = [
  answerParser('loki', 'json', answer => {
    const read = loki.readStreams(answer);
    if (read.ok) {
      lostBy(read.value);
      checkPage(storedStreams(read.value, 'node'));
      checkPage(storedStreams(read.value, null));
    }
    const others = [loki.readCounts(answer, 'node'), loki.readCounts(answer, null), loki.readNames(answer)];
    return read.ok || others.some(({ ok }) => ok);
  }),
  answerParser('prometheus', 'json', answer => {
    const vector = prometheus.readVector(answer);
    const matrix = prometheus.readMatrix(answer);
    if (matrix.ok) {
      const points = matrix.value.value.flatMap(row => row.points);
      owes(
        points.every(({ nanos }) => formatNanos(nanos) !== ''),
        'a point has a time that can be shown',
      );
    }
    return vector.ok || matrix.ok || prometheus.readNames(answer).ok;
  }),
  textParser(
    'prometheus-saved',
    text => {
      const read = parseQueryAnswer(text, 'file');
      if (!read.ok) return false;
      const nanos = read.series.flatMap(series => series.nanos);
      owes(
        nanos.every(at => formatNanos(at) !== ''),
        'a point has a time that can be shown',
      );
      owes(read.points === nanos.length, 'points are counted');
      return true;
    },
    'json',
  ),
  answerParser('elasticsearch', 'json', answer => {
    const hits = elasticsearch.readHits(answer, content);
    if (hits.ok) checkPage(hits.value.streams);
    const others = [
      elasticsearch.readBuckets(answer),
      elasticsearch.readTotal(answer),
      elasticsearch.readFieldCaps(answer),
    ];
    return hits.ok || others.some(({ ok }) => ok);
  }),
  answerParser('victorialogs', 'json-lines', lines => {
    const read = victorialogs.readEntries(lines, 'host');
    if (!read.ok) return false;
    checkPage(read.value.streams);
    return true;
  }),
  answerParser('victorialogs-counts', 'json', answer => {
    return victorialogs.readCounts(answer, 'host').ok || victorialogs.readValues(answer).ok;
  }),
  textParser('store-refusals', text => {
    const [status = '', ...body] = text.split('\n');
    const failed = statusFailure(Number(status) || 400, body.join('\n'), null);
    const troubles = [loki, prometheus, elasticsearch, victorialogs].map(store => store.troubleOf(failed));
    owes(
      troubles.every(({ trouble }) => trouble.reason.length < 400),
      'a reason is bounded',
    );
    loki.limitsIn(failed);
    elasticsearch.windowLimit(failed);
    return true;
  }),
  textParser('matchers', text => {
    const read = parseMatchers(text.trim());
    return 'matchers' in read || text.trim().startsWith('{');
  }),
];
