import assert from 'node:assert/strict';
import { test } from 'node:test';
import { doctorJson, doctorText, type Examined, verdictOf } from './doctor-text.ts';
import { styleFor } from './terminal.ts';

const style = styleFor({ isTTY: false }, true, {});
const examined: readonly Examined[] = [
  { name: 'metrics', kind: 'prometheus', checks: [{ verdict: 'pass', says: 'answered in 12 ms', remedy: [] }] },
  {
    name: 'slurm',
    kind: 'slurm',
    checks: [
      { verdict: 'pass', says: 'answered in 3 ms', remedy: [] },
      { verdict: 'warn', says: 'one metric is missing', remedy: ['add:', '  a, gauge, b'] },
    ],
  },
];

test('each source has the worst verdict of its checks, and each check what to do', () => {
  assert.equal(
    doctorText(examined, style),
    [
      'PASS  metrics (prometheus)',
      '  PASS  answered in 12 ms',
      'WARN  slurm (slurm)',
      '  PASS  answered in 3 ms',
      '  WARN  one metric is missing',
      '          add:',
      '            a, gauge, b',
      '2 sources: 1 PASS, 1 WARN, 0 FAIL',
      '',
    ].join('\n'),
  );
});

test('the same for programs', () => {
  const read = JSON.parse(doctorJson(examined)) as {
    verdict: string;
    sources: { name: string; verdict: string }[];
  };
  assert.equal(read.verdict, 'warn');
  assert.deepEqual(
    read.sources.map(({ name, verdict }) => [name, verdict]),
    [
      ['metrics', 'pass'],
      ['slurm', 'warn'],
    ],
  );
});

test('a failure outweighs everything, nothing is a pass', () => {
  assert.equal(verdictOf([]), 'pass');
  const [first, second] = examined.flatMap(({ checks }) => checks);
  assert.ok(first !== undefined && second !== undefined);
  assert.equal(verdictOf([{ ...first, verdict: 'fail' }, second]), 'fail');
});

test('a source that is asked at an address is told with it', () => {
  const source = { name: 'logs', kind: 'loki', url: 'http://127.0.0.1:3100', checks: [] };
  assert.match(doctorText([source], style), /^PASS {2}logs \(loki, http:\/\/127\.0\.0\.1:3100\)$/m);
});
