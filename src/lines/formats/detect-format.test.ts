import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { detectFormat } from './detect-format.ts';

const kernel = [
  '[Mon Nov 30 12:03:41 2026] NVRM: Xid (PCI:0000:b3:00): 79, GPU has fallen off the bus.',
  '[Mon Nov 30 12:03:41 2026] WARNING: CPU: 3 PID: 99 at kernel/x.c:1',
  '[Mon Nov 30 12:03:42 2026]  <TASK>',
];

test('takes a log of one shape for what it is', () => {
  assert.deepEqual(detectFormat(kernel), { format: 'dmesg-local', origin: 'kernel' });
  assert.deepEqual(detectFormat(['[2026-11-30T12:03:41.123] error: Node node-03 not responding']), {
    format: 'slurm-daemon',
    origin: 'scheduler',
  });
  assert.deepEqual(detectFormat(['{"MESSAGE":"x","_TRANSPORT":"kernel"}']), {
    format: 'journald',
    origin: 'kernel',
  });
});

test('takes what the journal and shippers write for node logs, and what programs log for none', () => {
  const shipped = '{"date":1796040221.5,"host":"node-01","ident":"kernel","message":"NVRM: x"}';
  const own = '{"time":1796040221.5,"host":"node-01","level":"error","message":"NVRM: x"}';
  const full = 'Mon 2026-11-30 12:03:41 UTC node-01 kernel: NVRM: x';
  assert.deepEqual(detectFormat([shipped]), { format: 'shipped-json', origin: 'kernel' });
  assert.deepEqual(detectFormat([full]), { format: 'journal-short', origin: 'kernel' });
  assert.equal(detectFormat([own]).origin, null);
});

test('takes several shapes of one origin for that origin', () => {
  assert.deepEqual(detectFormat([...kernel, '[   12.345678] x']), { format: 'auto', origin: 'kernel' });
});

test('knows the tables of Slurm by their first line', () => {
  assert.deepEqual(detectFormat(['', 'JobID|State|ExitCode', '77|FAILED|1:0']), {
    format: 'sacct',
    origin: 'scheduler',
  });
  assert.deepEqual(detectFormat(['JobId=77 JobName=train', '   JobState=FAILED']).format, 'scontrol');
  assert.deepEqual(detectFormat(['NodeName=node-01 State=DOWN']).origin, 'scheduler');
});

test('recognises nothing in other text, or where origins mix', () => {
  assert.deepEqual(detectFormat(['hello', 'world']), { format: 'auto', origin: null });
  assert.deepEqual(detectFormat([]), { format: 'auto', origin: null });
  assert.equal(detectFormat([...kernel, '[2026-11-30T12:03:41.123] error: x']).origin, null);
  assert.equal(detectFormat([...kernel, 'a', 'b', 'c', 'd']).origin, null);
});

test('one line of job text anywhere makes a text the text of a job', () => {
  const jobLine = fc.constantFrom(
    '[rank3]: Traceback',
    'node-01:1:2 [0] NCCL INFO x',
    '3: NVRM: x',
    'Traceback (most recent call last):',
  );
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...kernel)), jobLine, fc.nat(), (lines, line, at) => {
      const mixed = lines.toSpliced(at % (lines.length + 1), 0, line);
      assert.equal(detectFormat(mixed).origin, 'job');
    }),
  );
});
