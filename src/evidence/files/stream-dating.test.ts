import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseLine } from '../../lines/formats/line-formats.ts';
import { type DatingFacts, lineDating, streamDating } from './stream-dating.ts';

const iso = (text: string) => BigInt(Date.parse(text)) * 1_000_000n;
const facts: DatingFacts = {
  timezone: null,
  window: null,
  modified: iso('2026-11-30T13:00:00Z'),
  jobEnd: iso('2026-03-02T10:14:31Z'),
  bootNanos: null,
};

function dated(changed: Partial<DatingFacts>): string | null {
  const dating = lineDating(streamDating({ ...facts, ...changed }), 'kernel/node-01.log');
  const nanos = parseLine('syslog', 'Mar  2 10:03:17 node-01 kernel: up', dating).instant?.nanos ?? null;
  return nanos === null ? null : new Date(Number(nanos / 1_000_000n)).toISOString().slice(0, 10);
}

test('a stamp without year is of the year of the job, however late its file was copied', () => {
  assert.equal(dated({}), '2026-03-02');
  assert.equal(dated({ modified: iso('2026-03-02T09:00:00Z') }), '2026-03-02');
  assert.equal(dated({ modified: iso('2026-02-01T00:00:00Z') }), '2026-03-02');
});

test('a stamp without year in a file last changed about a year before the job is of the year before', () => {
  const modified = iso('2025-03-09T00:00:00Z');
  assert.equal(dated({ modified }), '2025-03-02');
  const window = { from: iso('2026-03-02T09:00:00Z'), to: iso('2026-03-02T10:16:00Z') };
  assert.equal(dated({ modified, window, jobEnd: null }), '2025-03-02');
});

test('times that packers write into archives say nothing', () => {
  for (const modified of ['1970-01-01T00:00:00Z', '1980-01-01T00:00:00Z', '1985-10-26T08:15:00Z']) {
    assert.equal(dated({ modified: iso(modified) }), '2026-03-02', modified);
  }
});
