import {
  readAttributorRequest,
  readFailureHeader,
  readHistorySearch,
  readObservation,
  readWorkloadId,
} from '../../../src/contract/dialect/index.ts';
import { readHistoryAsked } from '../../../src/contract/history-page.ts';
import { parseRequest } from '../../../src/contract/parse-request.ts';
import { checkDatetime } from '../../../src/contract/pydantic/datetime.ts';
import { StartupError } from '../../../src/core/errors.ts';
import { parseListenAddress } from '../../../src/http/listen-address.ts';
import { readTraceHeaders } from '../../../src/http/trace-headers.ts';
import { type FuzzedParser, jsonReader, owes, textParser } from '../fuzzed-parser.ts';

const options = { naiveDatetimes: 'refuse', echoInput: true } as const;

/** Bodies, query strings and headers of every listener. */
export const requestParsers: readonly FuzzedParser[] = [
  {
    name: 'request-json',
    documents: 'json',
    run(input) {
      const read = parseRequest(input, 'application/json', options);
      if (read.ok) {
        owes(read.request.scope.nodes.length <= input.length, 'no more nodes than bytes');
        return true;
      }
      owes(JSON.parse(read.body) !== null, 'an error is JSON');
      // Every location repeats a value: what is echoed is a small multiple of what was sent.
      owes(read.body.length < 4_096 + 60 * input.length, 'an error is bounded by its input');
      return !/json_invalid|There was an error parsing the body/.test(read.body);
    },
  },
  textParser('datetime', text => {
    const read = checkDatetime(text.trim(), 'utc');
    if (read.ok)
      owes(read.value.localMicros > -100_000_000_000_000_000n, 'a datetime lies within the calendar');
    // Of what is no datetime at all the first bytes are told; what has the form of one fails on a part of it.
    return read.ok || /^\s*[\d+-]/.test(text);
  }),
  textParser('trace-headers', text => {
    const [traceparent = '', tracestate = ''] = text.split('\n');
    const read = readTraceHeaders({ traceparent, tracestate });
    owes(
      (read.traceparent ?? '').length <= 128 && (read.tracestate ?? '').length <= 512,
      'headers are bounded',
    );
    return /^\s*[0-9a-f]{2}-/.test(traceparent);
  }),
  textParser('history-query', text => {
    const read = readHistoryAsked(new URLSearchParams(text.trim()));
    if (!read.ok) owes(read.says.length < 700, 'a refusal is bounded');
    return read.ok || !read.says.includes('is no parameter');
  }),
  textParser('listen-address', text => {
    try {
      const address = parseListenAddress(text.trim());
      return 'port' in address ? address.port <= 65_535 : true;
    } catch (error) {
      if (error instanceof StartupError) return text.includes(':');
      throw error;
    }
  }),
  jsonReader('dialect-attributor', value => {
    const read = readAttributorRequest(value);
    if (read.ok)
      owes(readWorkloadId(read.request.id).jobId.length <= read.request.id.length, 'an id is no longer');
    return read.ok || !read.says.startsWith('workload: ');
  }),
  jsonReader('dialect-observation', value => {
    const read = readObservation(value);
    if (!read.ok) return false;
    for (const { lines, stamps } of read.observation.streams) {
      owes(lines.length === stamps.length, 'every line has its stamp');
      owes(!lines.some(line => line.includes('\n')), 'a line is one line');
    }
    return true;
  }),
  jsonReader('history-search', value => {
    const read = readHistorySearch(value);
    return read.ok || read.says.startsWith('[query');
  }),
  textParser('failure-header', text => {
    const read = readFailureHeader(text.trim());
    return read !== null || text.startsWith('%7B');
  }),
];
