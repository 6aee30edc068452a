import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { exampleRequest } from '../../../tests/support/example-body.ts';
import { parseJson } from '../json/parse.ts';
import { parsePlainly } from '../json/parse-plainly.ts';
import { canonicalMembers, requestModels, WorkloadAttributionRequest } from '../request.ts';
import { compilePlain, undecided } from './compile-plain.ts';
import { walk } from './walk.ts';

const rules = { models: requestModels, canonical: canonicalMembers, naiveDatetimes: 'refuse' } as const;
const readPlainly = compilePlain(WorkloadAttributionRequest, rules);

const oddities: readonly string[] = [
  ...['null', 'true', '{}', '[]', '""', '" "', '"x"', '"1"', '"a\\u0000"', '" a"', '"\\ud800"', '"e\\u0301"'],
  ...[
    '-0',
    '0',
    '1.0',
    '1.5',
    '1e2',
    '1e20',
    '9007199254740991',
    '9007199254740993',
    '-1',
    'NaN',
    '1788955200',
  ],
  ...['"2026-09-09"', '"2026-09-09T12:00:00"', '"2026-09-09 12:00:00.25+02:00"', '"0000-01-01T00:00:00Z"'],
  ...['["node-01","node-01",""]', '[1,2.0]', '["1"]', '"slow"', '"Fast"', '{"phase":1}', '{"__proto__":[]}'],
];

const members = ['schema_version', 'workload_id', 'timeout_ms', 'phase', 'continue_session', 'user_id'];
const places: readonly (readonly string[])[] = [
  ...members.map(name => [name]),
  ...['nodes', 'ranks', 'start_time', 'end_time'].map(name => ['scope', name]),
  ...['detected_at', 'detection_signal'].map(name => ['failure_context', name]),
  ...['workflow_id', 'attempt_index', 'job_end_time'].map(name => ['workload_context', name]),
  ...['scope', 'failure_context', 'workload_context', '__proto__', 'toString', 'other'].map(name => [name]),
];

/** The example with some members given anew, as text: a value may be what no JavaScript value is written as. */
const bodies = fc
  .array(fc.tuple(fc.constantFrom(...places), fc.constantFrom('absent', ...oddities)), { maxLength: 3 })
  .map(changes => {
    const given = new Map<string, Map<string, string> | string>(
      Object.entries(exampleRequest).map(([name, value]) => [
        name,
        typeof value === 'object'
          ? new Map(Object.entries(value).map(([inner, member]) => [inner, JSON.stringify(member)]))
          : JSON.stringify(value),
      ]),
    );
    for (const [[outer = '', inner], value] of changes) {
      const parent = inner === undefined ? given : given.get(outer);
      if (!(parent instanceof Map)) continue;
      if (value === 'absent') parent.delete(inner ?? outer);
      else parent.set(inner ?? outer, value);
    }
    return textOf(given);
  });

test('what is read without the walk, the walk reads alike; what the walk refuses, it leaves undecided', () => {
  const seen = { decided: 0, undecided: 0 };
  fc.assert(
    fc.property(bodies, text => {
      const plain = readPlainly(parsePlainly(text));
      const json = parseJson(text);
      const walked = json.ok ? walk(WorkloadAttributionRequest, json.value, rules) : null;
      seen[plain === undecided ? 'undecided' : 'decided'] += 1;
      if (plain !== undecided) assert.deepEqual([walked?.ok, walked?.ok && walked.value], [true, plain], text);
    }),
    { numRuns: 5_000 },
  );
  assert.ok(seen.decided > 500 && seen.undecided > 500, JSON.stringify(seen));
});

test('the published example needs no walk', () => {
  assert.notEqual(readPlainly(parsePlainly(JSON.stringify(exampleRequest))), undecided);
});

function textOf(given: ReadonlyMap<string, unknown>): string {
  const written = [...given].map(
    ([name, value]) => `${JSON.stringify(name)}:${value instanceof Map ? textOf(value) : String(value)}`,
  );
  return `{${written.join(',')}}`;
}
