import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { openapiDocument } from '../../src/contract/index.ts';
import { parse } from './example-request.ts';

/**
 * The reading of requests and a JSON Schema validator, both over the checked-in models, must agree on every body of
 * plain JSON whose values leave nothing to coerce: integers are integers, and texts never look like numbers.
 */
const ajv = new Ajv2020({ strict: false });
ajv.addFormat('date-time', /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|1\d|2[0-8])T([01]\d|2[0-3]):[0-5]\d:[0-5]\dZ$/);
ajv.addSchema(openapiDocument(), 'openapi');
const fits = ajv.getSchema('openapi#/components/schemas/WorkloadAttributionRequest');

const word = fc.stringMatching(/^[a-z]{0,3}$/);
const id = fc.oneof(
  word,
  fc.constant('a'.repeat(256)),
  fc.constant('é'.repeat(257)),
  fc.constant('𝛼'.repeat(256)),
);
const datetime = fc
  .date({ min: new Date('1990-01-01'), max: new Date('2090-01-01'), noInvalidDate: true })
  .map(date => `${date.toISOString().slice(0, 8)}0${1 + (date.getUTCDate() % 9)}T00:00:00Z`);
const wrong = fc.oneof(fc.constant(null), fc.constant([]), fc.constant({}), word, fc.constant([{}, 'x']));

function mostly<T>(right: fc.Arbitrary<T>): fc.Arbitrary<unknown> {
  return fc.oneof({ arbitrary: right, weight: 12 }, { arbitrary: wrong, weight: 1 });
}

function record(members: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<unknown> {
  const some = fc.record(members, { requiredKeys: [] });
  return fc.oneof({ arbitrary: fc.record(members), weight: 6 }, { arbitrary: some, weight: 1 });
}

const body = record({
  schema_version: mostly(word),
  workload_id: mostly(word),
  scope: mostly(
    record({
      nodes: mostly(fc.array(mostly(word), { maxLength: 3 })),
      ranks: mostly(fc.array(mostly(fc.integer()), { maxLength: 3 })),
      start_time: mostly(datetime),
      end_time: mostly(datetime),
    }),
  ),
  failure_context: mostly(record({ detected_at: mostly(datetime), detection_signal: mostly(word) })),
  timeout_ms: mostly(fc.integer()),
  workload_context: mostly(
    record({
      workflow_id: mostly(id),
      attempt_index: mostly(fc.integer({ min: -1, max: 5 })),
      job_end_time: mostly(datetime),
      other: wrong,
    }),
  ),
  phase: mostly(fc.constantFrom('fast', 'slow')),
  continue_session: mostly(word),
  user_id: mostly(word),
  other: wrong,
});

test('the walk over the models and a JSON Schema validator accept and refuse the same requests', () => {
  assert.ok(fits !== undefined);
  const seen = { accepted: 0, refused: 0 };
  fc.assert(
    fc.property(body, value => {
      const read = parse(JSON.stringify(value));
      const valid = fits(value) === true;
      assert.equal(read.ok, valid, `${JSON.stringify(value)} ${JSON.stringify(fits.errors)}`);
      seen[valid ? 'accepted' : 'refused'] += 1;
    }),
    { numRuns: 3000 },
  );
  assert.ok(seen.accepted > 100 && seen.refused > 100, JSON.stringify(seen));
});

test('every entry about a member names the place where the offending value stands', () => {
  fc.assert(
    fc.property(body, value => {
      const read = parse(JSON.stringify(value));
      if (read.ok) return;
      const { detail } = JSON.parse(read.body) as { detail: { type: string; loc: string[]; input: unknown }[] };
      for (const { type, loc, input } of detail) {
        const steps = type === 'missing' ? loc.slice(1, -1) : loc.slice(1);
        const found = steps.reduce<unknown>((at, step) => (at as Record<string, unknown>)[step], value);
        assert.deepEqual(input, JSON.parse(JSON.stringify(found)));
      }
    }),
    { numRuns: 500 },
  );
});
