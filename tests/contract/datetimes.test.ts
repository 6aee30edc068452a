import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answerTo, parse, strict, withMember } from './example-request.ts';

const noon = 1_772_452_800_000_000_000n; // 2026-03-02T12:00:00Z

/** What is a datetime, and the instant it names in nanoseconds. `input` is JSON text. */
const accepted: readonly (readonly [string, bigint])[] = [
  ['"2026-03-02T12:00:00Z"', noon],
  ['"2026-03-02t12:00:00z"', noon],
  ['"2026-03-02 12:00:00Z"', noon],
  ['"2026-03-02_12:00:00Z"', noon],
  ['"2026-03-02T12:00Z"', noon],
  ['"2026-03-02T12:00:00+00:00"', noon],
  ['"2026-03-02T12:00:00-00:00"', noon],
  ['"2026-03-02T12:00:00+0000"', noon],
  ['"2026-03-02T14:00:00+02:00"', noon],
  ['"2026-03-02T08:30:00-0330"', noon],
  ['"2026-03-02T07:00:00\u221205:00"', noon],
  ['"2026-03-03T11:59:00+23:59"', noon],
  ['"2026-03-02T12:00:00.5Z"', noon + 500_000_000n],
  ['"2026-03-02T12:00:00,25Z"', noon + 250_000_000n],
  ['"2026-03-02T12:00:00.123456999Z"', noon + 123_456_000n],
  ['"2026-03-02T12:00:00.000Z"', noon],
  ['1772452800', noon],
  ['1772452800.5', noon + 500_000_000n],
  ['1772452800000', noon],
  ['"1772452800"', noon],
  ['"+1772452800"', noon],
  ['"1772452800.25"', noon + 250_000_000n],
  ['"1772452800250"', noon + 250_000_000n],
  ['20000000000', 20_000_000_000_000_000_000n],
  ['20000000001', 20_000_000_001_000_000n],
  ['-20000000001', -20_000_000_001_000_000n],
  ['253402300800', 253_402_300_800_000_000n],
  ['"2000-02-29T00:00:00Z"', 951_782_400_000_000_000n],
  ['"0001-01-01T00:00:00Z"', -62_135_596_800_000_000_000n],
  ['"9999-12-31T23:59:59.999999Z"', 253_402_300_799_999_999_000n],
];

for (const [input, instant] of accepted) {
  test(`${input} is a datetime`, () => {
    const body = JSON.stringify(withMember('failure_context.detected_at', '@')).replace('"@"', input);
    const read = parse(body);
    assert.ok(read.ok, read.ok ? '' : read.body);
    assert.equal(read.request.failureContext.detectedAt, instant);
  });
}

const naive = ['2026-03-02T12:00:00', '2026-03-02 12:00', '2026-03-02T12:00:00.5', '2026-03-02'];

for (const input of naive) {
  test(`${input} has no offset: refused`, () => {
    assert.deepEqual(answerTo(withMember('scope.start_time', input)), {
      status: 422,
      body: `{"detail":[{"type":"timezone_aware","loc":["body","scope","start_time"],"msg":"Input should have timezone info","input":"${input}"}]}`,
    });
  });
}

test('where naive datetimes are read as UTC, a date alone is its midnight', () => {
  const options = { ...strict, naiveDatetimes: 'utc' } as const;
  const dated = parse(withMember('scope.start_time', '2026-03-02'), 'application/json', options);
  const timed = parse(withMember('scope.start_time', '2026-03-02T12:00:00'), 'application/json', options);
  assert.equal(dated.ok && dated.request.scope.startTime, noon - 43_200_000_000_000n);
  assert.equal(timed.ok && timed.request.scope.startTime, noon);
});

test('optional datetimes may be null or left out', () => {
  for (const body of [withMember('scope.end_time', null), withMember('workload_context.job_end_time', null)]) {
    const read = parse(body);
    assert.equal(read.ok && read.request.scope.endTime, null);
    assert.equal(read.ok && read.request.workloadContext.jobEndTime, null);
  }
});

const date = 'Input should be a valid datetime or date, ';
const separator = 'invalid date separator, expected `-`';
const extra = 'unexpected extra characters at the end of the input';

/** Texts that are no datetimes, with the reason. */
const unreadable: readonly (readonly [string, string])[] = [
  ['yesterday', 'input is too short'],
  ['', 'input is too short'],
  ['2026-3-2', 'input is too short'],
  ['202x-03-02', 'invalid character in year'],
  ['2026-0x-02', 'invalid character in month'],
  ['2026-03-0x', 'invalid character in day'],
  ['2026-13-02', 'month value is outside expected range of 1-12'],
  ['2026-02-30T12:00:00Z', 'day value is outside expected range'],
  ['1900-02-29T12:00:00Z', 'day value is outside expected range'],
  ['2026/03/02', separator],
  ['20260302T1200', separator],
  [' 1772452800', 'invalid character in year'],
  ['2026-03-02T24:00:00Z', extra],
  ['2026-03-02T25:00:00Z', extra],
  ['2026-03-02T12:00:60Z', extra],
  ['2026-03-02T12:61:00Z', extra],
  ['2026-03-02T12Z', extra],
  ['2026-03-02T12:00:00.Z', extra],
  ['2026-03-02T12:00:00Zx', extra],
  ['2026-03-02T12:00:00+24:00', extra],
  ['2026-03-02T12:00:00+02', extra],
  ['2026-03-02T12:00:00 +02:00', extra],
  ['2026-03-02X12:00:00Z', extra],
  ['253402300800000', 'dates after 9999 are not supported as unix timestamps'],
];

for (const [input, reason] of unreadable) {
  test(`${JSON.stringify(input)} is no datetime: ${reason}`, () => {
    assert.deepEqual(answerTo(withMember('failure_context.detected_at', input)), {
      status: 422,
      body: `{"detail":[{"type":"datetime_from_date_parsing","loc":["body","failure_context","detected_at"],"msg":"${date}${reason}","input":${JSON.stringify(input)},"ctx":{"error":"${reason}"}}]}`,
    });
  });
}

/** JSON texts that name a time the calendar does not have; the third is how the value is echoed. */
const impossible: readonly (readonly [string, string, string])[] = [
  ['"0000-01-01T00:00:00Z"', 'year 0 is out of range', '"0000-01-01T00:00:00Z"'],
  ['253402300800000', 'dates after 9999 are not supported as unix timestamps', '253402300800000'],
  ['100000000000000000000', 'dates after 9999 are not supported as unix timestamps', '100000000000000000000'],
  ['-1e20', 'dates before 0000 are not supported as unix timestamps', '-1e+20'],
  ['NaN', 'NaN values not permitted', 'null'],
  ['Infinity', 'dates after 9999 are not supported as unix timestamps', 'null'],
];

for (const [input, reason, echo] of impossible) {
  test(`${input} is an impossible datetime: ${reason}`, () => {
    const body = JSON.stringify(withMember('failure_context.detected_at', '@')).replace('"@"', input);
    assert.deepEqual(answerTo(body), {
      status: 422,
      body: `{"detail":[{"type":"datetime_parsing","loc":["body","failure_context","detected_at"],"msg":"Input should be a valid datetime, ${reason}","input":${echo},"ctx":{"error":"${reason}"}}]}`,
    });
  });
}

for (const input of ['true', '[]', 'null', '{}']) {
  test(`${input} is of no type a datetime can have`, () => {
    const body = JSON.stringify(withMember('failure_context.detected_at', '@')).replace('"@"', input);
    assert.deepEqual(answerTo(body), {
      status: 422,
      body: `{"detail":[{"type":"datetime_type","loc":["body","failure_context","detected_at"],"msg":"Input should be a valid datetime","input":${input}}]}`,
    });
  });
}
