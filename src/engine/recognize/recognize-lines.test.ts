import assert from 'node:assert/strict';
import { test } from 'node:test';
import { batchHeader, wholeBatch } from '../../../tests/support/cut-text.ts';
import { anyExamples, corpusOf, lineMatch, ruleFile } from '../../../tests/support/rule-files.ts';
import type { CorpusFile } from '../corpus/load.ts';
import { compileLineRules, type OriginRules, originRules } from './compile.ts';
import type { LineHit } from './hit.ts';
import { recognizeLines } from './recognize-lines.ts';

const header = batchHeader({ origin: 'kernel', format: 'dmesg' });
const boot = (seconds: number, message: string): string => `[ ${seconds.toFixed(6)}] ${message}`;

const kernelRules = (...files: readonly CorpusFile[]): OriginRules =>
  originRules(compileLineRules(corpusOf(...files)), 'kernel');

function hitsOf(text: string | Uint8Array, ...files: readonly CorpusFile[]): readonly LineHit[] {
  return recognizeLines(wholeBatch(text, header), kernelRules(...files));
}

function kernelRule(
  id: string,
  match: Record<string, unknown>,
  further: readonly Record<string, unknown>[] = [],
) {
  return ruleFile(id, { match: lineMatch(match, further), examples: anyExamples });
}

const lost = kernelRule('lost', {
  keywords: ['has fallen off'],
  pattern: 'GPU (?P<pci>[0-9A-Fa-f:]+)\\.0: .*has fallen off',
});

test('a hit says where, when and what', () => {
  const text = ['one', boot(12.5, 'NVRM: GPU 00000000:B3:00.0: GPU has fallen off the bus.'), 'three', ''].join(
    '\r\n',
  );
  const [hit, ...others] = hitsOf(text, lost);
  assert.equal(others.length, 0);
  assert.equal(hit?.line, 2);
  assert.equal(hit?.text, boot(12.5, 'NVRM: GPU 00000000:B3:00.0: GPU has fallen off the bus.'));
  assert.deepEqual(hit?.captures, { pci: '0000:b3:00' });
  assert.equal(hit?.instant.tick, 12_500_000_000n);
});

test('an entry of an event log is as old as it says, however late it is listed', () => {
  const listed = kernelRule('listed', {
    keywords: ['| IERR |'],
    pattern: '(?:(?P<occurred>[0-9/]+ \\| [0-9:]+) \\| )?Processor CPU1 \\| IERR',
  });
  const line = (entry: string): string => boot(12.5, `BMC: ${entry}Processor CPU1 | IERR | Asserted`);
  const [dated] = hitsOf(line('04/22/2026 | 08:02:10 | '), listed);
  assert.equal(dated?.instant.nanos, BigInt(Date.UTC(2026, 3, 22, 8, 2, 10)) * 1_000_000n);
  for (const entry of ['', '00/00/0000 | 00:00:00 | ']) {
    assert.equal(hitsOf(line(entry), listed)[0]?.instant.tick, 12_500_000_000n, entry);
  }
});

test('keywords are found in any case, patterns keep theirs unless they say so', () => {
  const shouted = 'GPU 0000:b3:00.0: GPU HAS FALLEN OFF the bus';
  assert.equal(hitsOf(shouted, lost).length, 0);
  const lenient = kernelRule('lenient', {
    keywords: ['has fallen off'],
    pattern: 'gpu has fallen off',
    ignore_case: true,
  });
  assert.equal(hitsOf(shouted, lenient).length, 1);
});

test('only lines that begin in the own part are hit, with the numbers of the stream', () => {
  const line = 'GPU 0000:b3:00.0: GPU has fallen off\n';
  const batch = wholeBatch(line.repeat(4), { ...header, firstLine: 100 });
  const own = { ...batch, ownFrom: line.length, ownTo: 3 * line.length };
  const hits = recognizeLines(own, kernelRules(lost));
  assert.deepEqual(
    hits.map(hit => hit.line),
    [101, 102],
  );
});

test('rules in the skip list are not looked for', () => {
  const origin = kernelRules(lost);
  const batch = wholeBatch('GPU 0000:b3:00.0: GPU has fallen off\n', header);
  assert.equal(recognizeLines(batch, origin, new Set([0])).length, 0);
});

test('carriage returns part what a pattern sees; the line keeps its number', () => {
  const wide = kernelRule('wide', { keywords: ['fallen off'], pattern: 'begin.*fallen off' });
  assert.equal(hitsOf('begin 10%\r 20%\rGPU fallen off\n', wide).length, 0);
  const [hit] = hitsOf('x\nbegin 10%\rbegin, fallen off\r 20%\n', wide);
  assert.equal(hit?.text, 'begin, fallen off');
  assert.equal(hit?.line, 2);
});

test('of a long line a pattern sees 16 KiB around the keyword, and 4 KiB of it are kept', () => {
  const near = kernelRule('near', { keywords: ['fallen off'], pattern: 'begin.*fallen off' });
  const far = `begin${'.'.repeat(20_000)}fallen off${'.'.repeat(9_000)}\n`;
  assert.equal(hitsOf(far, near).length, 0);
  const [hit] = hitsOf(`${'. '.repeat(15_000)}begin${'.'.repeat(100)}fallen off${' .'.repeat(5_000)}\n`, near);
  const kept = hit?.text.length ?? 0;
  assert.ok(kept > 4_080 && kept <= 4_096, String(kept));
  assert.match(hit?.text ?? '', /begin\.{100}fallen off/);
});

test('every keyword of a long line is seen, however far apart', () => {
  const pair = kernelRule('pair', { keywords: ['fallen off'], pattern: 'fallen off the cliff' });
  const text = `${'fallen off a horse '.repeat(1_500)}fallen off the cliff ${'fallen off a horse '.repeat(1_500)}\n`;
  assert.equal(hitsOf(text, pair).length, 1);
});

test('a line over 64 KiB is split from its start, and no keyword reaches over the cut', () => {
  const any = kernelRule('any', { keywords: ['fallen off'], pattern: 'fallen off' });
  const filled = (at: number) => `${'.'.repeat(at)}fallen off${'.'.repeat(70_000)}\n`;
  assert.equal(hitsOf(filled(65_536 - 10), any).length, 1);
  assert.equal(hitsOf(filled(65_536 - 5), any).length, 0);
  assert.equal(hitsOf(filled(65_536), any).length, 1);
  const both = `fallen off${'.'.repeat(70_000)}fallen off\n`;
  assert.deepEqual(
    hitsOf(both, any).map(hit => hit.line),
    [1, 1],
  );
});

test('bytes that are no UTF-8 hurt nothing', () => {
  const bytes = Buffer.concat([Buffer.from([0xff, 0xfe, 0x80, 0x0a, 0xc3]), Buffer.from(' fallen off\n')]);
  const any = kernelRule('any', { keywords: ['fallen off'], pattern: 'fallen off' });
  assert.equal(hitsOf(bytes, any)[0]?.line, 2);
});

test('further lines are found in reach, forward and backward, and add their captures', () => {
  const forward = kernelRule('forward', { keywords: ['first line'], pattern: 'first line' }, [
    { pattern: 'second (?P<value>\\w+)', lines: 2 },
    { pattern: 'third (?P<status>\\w+)', lines: 1 },
  ]);
  const text = (gap: number) => `first line\n${'between\n'.repeat(gap)}second a\nthird b\n`;
  assert.deepEqual(hitsOf(text(1), forward)[0]?.captures, { value: 'a', status: 'b' });
  assert.equal(hitsOf(text(2), forward).length, 0);
  const backward = kernelRule('backward', { keywords: ['last line'], pattern: 'last line' }, [
    { pattern: 'cause (?P<value>\\w+)', lines: 3, direction: 'backward' },
  ]);
  assert.equal(hitsOf('cause a\ncause b\nbetween\nlast line\n', backward)[0]?.captures['value'], 'b');
});

test('a further line that must not be there takes the match back, and those behind it count from the one before', () => {
  const lone = kernelRule('lone', { keywords: ['last line'], pattern: 'last line' }, [
    { pattern: 'cause', lines: 2, direction: 'backward', absent: true },
  ]);
  assert.equal(hitsOf('cause\nbetween\nlast line\n', lone).length, 0);
  assert.equal(hitsOf('cause\nbetween\nbetween\nlast line\n', lone).length, 1);
  assert.equal(hitsOf('last line\ncause\n', lone).length, 1);
  const headed = kernelRule('headed', { keywords: ['last line'], pattern: 'last line' }, [
    { pattern: 'header', lines: 9, direction: 'backward' },
    { pattern: 'ignored', lines: 1, direction: 'backward', absent: true },
    { pattern: 'title (?P<value>\\w+)', lines: 2, direction: 'backward' },
  ]);
  assert.equal(hitsOf('title a\nignored\nheader\nlast line\n', headed).length, 0);
  const [hit] = hitsOf('title a\nbetween\nheader\nignored\nlast line\n', headed);
  assert.deepEqual(hit?.captures, { value: 'a' });
});

test('further lines within seconds are judged by stamps, and unknown distances are not near', () => {
  const timed = kernelRule('timed', { keywords: ['first line'], pattern: 'first line' }, [
    { pattern: 'second', seconds: 2 },
  ]);
  assert.equal(hitsOf(`${boot(10, 'first line')}\n${boot(11.9, 'second')}\n`, timed).length, 1);
  assert.equal(hitsOf(`${boot(10, 'first line')}\n${boot(12.1, 'second')}\n`, timed).length, 0);
  assert.equal(hitsOf('first line\nsecond\n', timed).length, 0);
});

test('further lines may have to speak of the same process or device', () => {
  const sameDevice = kernelRule('a', { keywords: ['first line'], pattern: 'GPU (?P<pci>\\S+) first line' }, [
    { pattern: 'second', lines: 3, same: 'device' },
  ]);
  const device = (pci: string) => `GPU 0000:b3:00 first line\nGPU ${pci} second\n`;
  assert.equal(hitsOf(device('0000:B3:00.0'), sameDevice).length, 1);
  assert.equal(hitsOf(device('0000:b4:00.0'), sameDevice).length, 0);
  const samePid = kernelRule('b', { keywords: ['first line'], pattern: 'pid=(?P<pid>\\d+) first line' }, [
    { pattern: 'pid=(?P<pid>\\d+) second', lines: 3, same: 'pid' },
  ]);
  assert.equal(hitsOf('pid=7 first line\npid=8 second\npid=7 second\n', samePid).length, 1);
  assert.equal(hitsOf('pid=7 first line\npid=8 second\n', samePid).length, 0);
});

test('further lines lie at most 64 lines and 64 KiB from the first', () => {
  const far = kernelRule('far', { keywords: ['first line'], pattern: 'first line' }, [
    { pattern: 'second', lines: 60 },
    { pattern: 'third', lines: 60 },
  ]);
  const text = (gap: number) => `first line\n${'-\n'.repeat(40)}second\n${'-\n'.repeat(gap)}third\n`;
  assert.equal(hitsOf(text(22), far).length, 1);
  assert.equal(hitsOf(text(23), far).length, 0);
  const wide = `first line\n${'-'.repeat(65_000)}\nsecond\n${'-'.repeat(1000)}\nthird\n`;
  assert.equal(hitsOf(wide, far).length, 0);
});

test('a line without stamp is dated by the nearest stamp before it, as at least and roughly', () => {
  const dated = { ...header, dating: { ...header.dating, bootNanos: 1_000_000_000_000n } };
  const origin = kernelRules(kernelRule('a', { keywords: ['fallen off'], pattern: 'fallen off' }));
  const text = (gap: number) => `${boot(5, 'x')}\n${'-\n'.repeat(gap)}fallen off\n`;
  const [near] = recognizeLines(wholeBatch(text(63), dated), origin);
  assert.equal(near?.instant.nanos, 1_005_000_000_000n);
  assert.equal(near?.instant.basis, 'file_order');
  assert.equal(near?.instant.tick, 65n);
  assert.ok((near?.instant.plusMinus ?? 0n) >= 60_000_000_000n);
  const [distant] = recognizeLines(wholeBatch(text(64), dated), origin);
  assert.equal(distant?.instant.nanos, null);
});

test('of a rule that keeps ends the first and the last hit come', () => {
  const file = ruleFile('ends', {
    match: lineMatch({ keywords: ['iteration'], pattern: 'iteration (?P<iteration>\\d+)' }),
    keep: 'ends',
    examples: anyExamples,
  });
  const text = Array.from({ length: 50 }, (_, index) => `iteration ${index + 1} of many`).join('\n');
  const iterations = (hits: readonly LineHit[]) => hits.map(hit => hit.captures['iteration']);
  assert.deepEqual(iterations(hitsOf(text, file)), ['1', '50']);
  assert.deepEqual(iterations(hitsOf('iteration 7\n', file)), ['7']);
  assert.deepEqual(iterations(hitsOf('iteration x\niteration 7\niteration y\n', file)), ['7']);
});

test('a batch hands over one hit more than its stream keeps', () => {
  const any = kernelRule('any', { keywords: ['fallen off'], pattern: 'fallen off' });
  assert.equal(hitsOf('fallen off\n'.repeat(3_000), any).length, 1_001);
});

test('a flood of noise hands over few hits, unless its number decides', () => {
  const flood = `${'corrected error on a port\n'.repeat(5_000)}`;
  const noise = (id: string, further: Record<string, unknown> = {}): CorpusFile =>
    ruleFile(id, {
      ...further,
      role: 'noise',
      blames: 'nobody',
      match: lineMatch({ keywords: ['corrected error'], pattern: 'corrected error' }),
      examples: anyExamples,
    });
  assert.equal(hitsOf(flood, noise('shown')).length, 101);
  assert.equal(
    hitsOf(flood, noise('counted', { count: { at_least: 900, within_seconds: 60, by: 'node' } })).length,
    1_001,
  );
});
