import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { batchHeader, cutText, wholeBatch } from '../../tests/support/cut-text.ts';
import { anyExamples, corpusOf, lineMatch, ruleFile } from '../../tests/support/rule-files.ts';
import type { LineBatch } from '../core/batch.ts';
import type { Symptom } from '../core/symptom.ts';
import { createRecognitionPool } from './pool.ts';
import type { RecognitionPool } from './recognition.ts';

/** A corpus with a rule of every kind that could show where batches end. */
const corpus = corpusOf(
  ruleFile('lost'),
  ruleFile('often', {
    match: lineMatch({ keywords: ['flooding line'], pattern: 'flooding line' }),
    symptom: 'flood',
    examples: anyExamples,
  }),
  ruleFile('ends', {
    match: lineMatch({ keywords: ['iteration'], pattern: 'iteration (?P<iteration>\\d+)' }),
    keep: 'ends',
    examples: anyExamples,
  }),
  ruleFile('multi', {
    match: lineMatch({ keywords: ['begin of pair'], pattern: 'begin of pair (?P<value>\\d+)' }, [
      { pattern: 'middle of pair', lines: 60 },
      { pattern: 'end of pair', lines: 60 },
      { pattern: 'cause of pair', lines: 64, direction: 'backward' },
    ]),
    examples: anyExamples,
  }),
  ruleFile('wide', {
    match: lineMatch({ keywords: ['wide keyword', 'other keyword'], pattern: 'wide keyword|other keyword' }),
    examples: anyExamples,
  }),
);

const pools = [0, 1, 2, 4].map(workers => createRecognitionPool(corpus, { workers }));
after(async () => {
  await Promise.all(pools.map(pool => pool.close()));
});

async function symptomsOf(
  pool: RecognitionPool | undefined,
  batches: readonly LineBatch[],
): Promise<readonly Symptom[]> {
  assert.ok(pool);
  const recognition = pool.open();
  try {
    await Promise.all(batches.map(batch => recognition.submit(batch)));
    return await recognition.symptoms();
  } finally {
    recognition.end();
  }
}

const header = batchHeader({ origin: 'kernel', node: 'node-01' });
const sizes = fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1, maxLength: 20 });

/** Runs texts whole on this thread, and cut and shuffled on every pool: the symptoms must be the same. */
async function assertSameHoweverCut(texts: fc.Arbitrary<string>, numRuns: number): Promise<void> {
  await fc.assert(
    fc.asyncProperty(texts, sizes, fc.infiniteStream(fc.nat()), async (content, cuts, random) => {
      const wanted = await symptomsOf(pools[0], [wholeBatch(content, header)]);
      for (const pool of pools) {
        const batches = cutText(content, header, cuts)
          .map(batch => ({ batch, order: random.next().value ?? 0 }))
          .sort((a, b) => a.order - b.order);
        assert.deepEqual(
          await symptomsOf(
            pool,
            batches.map(({ batch }) => batch),
          ),
          wanted,
        );
      }
    }),
    { numRuns },
  );
}

test('neither workers nor cuts nor the order of batches change the symptoms', async () => {
  const line = fc.oneof(
    {
      weight: 3,
      arbitrary: fc.constantFrom('noise', '', '[ 12.000001] stamped noise', '\r\r', 'x\ry\rz', 'flooding line'),
    },
    {
      weight: 1,
      arbitrary: fc
        .nat({ max: 99 })
        .map(n => `[ ${n}.250000] NVRM: GPU 0000:b${n % 3}:00.0: GPU has fallen off the bus.`),
    },
    { weight: 1, arbitrary: fc.nat({ max: 999 }).map(n => `iteration ${n}`) },
  );
  const lines = fc.array(line, { minLength: 1, maxLength: 300 });
  await assertSameHoweverCut(
    lines.map(all => all.join('\n')),
    50,
  );
});

test('nor do they where a symptom takes several lines', async () => {
  const between = fc.oneof(
    { weight: 4, arbitrary: fc.integer({ min: 20, max: 62 }).map(n => 'noise\n'.repeat(n)) },
    { weight: 1, arbitrary: fc.integer({ min: 65_300, max: 65_540 }).map(n => `${'.'.repeat(n)}\n`) },
    { weight: 1, arbitrary: fc.constant('[ 7.000000] stamped\n') },
  );
  const group = fc
    .tuple(between, between, between, fc.nat({ max: 9 }))
    .map(([a, b, c, n]) => `cause of pair\n${a}begin of pair ${n}\n${b}middle of pair\n${c}end of pair\n`);
  await assertSameHoweverCut(
    fc.array(group, { minLength: 1, maxLength: 3 }).map(groups => groups.join('')),
    80,
  );
});

test('nor do they where lines are longer than a piece or a view', async () => {
  const near = fc.constantFrom(0, 8_192, 16_384, 65_536, 131_072);
  const dots = fc
    .tuple(near, fc.integer({ min: -15, max: 15 }))
    .map(([n, more]) => '.'.repeat(Math.max(0, n + more)));
  const word = fc.constantFrom('wide keyword', 'other keyword', 'WIDE KEYWORD', '\r', '\n', '\u00e9');
  await assertSameHoweverCut(
    fc.array(fc.tuple(dots, word), { minLength: 1, maxLength: 8 }).map(parts => parts.flat().join('')),
    80,
  );
});

test('a flood over the cap is cut at the same hit whatever the batches', async () => {
  const content = Array.from({ length: 3_000 }, (_, index) => `[ ${index}.000000] flooding line`).join('\n');
  const wanted = await symptomsOf(pools[0], [wholeBatch(content, header)]);
  assert.equal(wanted.length, 1);
  assert.equal(wanted[0]?.count, 1_000);
  assert.equal(wanted[0]?.countIsAtLeast, true);
  assert.equal(wanted[0]?.last.tick, 999_000_000_000n);
  for (const pool of pools) {
    assert.deepEqual(await symptomsOf(pool, cutText(content, header, [17])), wanted);
    assert.deepEqual(await symptomsOf(pool, [...cutText(content, header, [400])].reverse()), wanted);
  }
});

test('exactly as many hits as the cap are an exact count', async () => {
  const [symptom] = await symptomsOf(pools[0], [wholeBatch('flooding line\n'.repeat(1_000), header)]);
  assert.equal(symptom?.count, 1_000);
  assert.equal(symptom?.countIsAtLeast, false);
});

test('symptoms may be asked for while batches still come, and grow', async () => {
  for (const pool of pools) {
    const recognition = pool.open();
    const batches = cutText('iteration 1\niteration 2\niteration 3\nflooding line\n', header, [2]);
    await recognition.submit(batches[0] ?? assert.fail());
    const early = await recognition.symptoms();
    assert.deepEqual(
      early.map(({ rule, count }) => [rule, count]),
      [['ends', 2]],
    );
    await recognition.submit(batches[1] ?? assert.fail());
    const late = await recognition.symptoms();
    assert.deepEqual(
      late.map(({ rule, count }) => [rule, count]),
      [
        ['ends', 2],
        ['often', 1],
      ],
    );
    assert.equal(late[0]?.observations.at(-1)?.captures['iteration'], '3');
    recognition.end();
  }
});

test('requests do not mix, and buffers of all of them come back', async () => {
  const returned = new Set<ArrayBuffer>();
  const pool = createRecognitionPool(corpus, { workers: 2, onBuffer: buffer => returned.add(buffer) });
  const one = pool.open();
  const other = pool.open();
  for (let index = 0; index < 20; index += 1) {
    const content = `GPU 0000:b${index % 10}:00.0: GPU has fallen off the bus\n`;
    const here = { ...header, sequence: index };
    await Promise.all([
      one.submit(wholeBatch(content, here)),
      other.submit(wholeBatch('flooding line\n', here)),
    ]);
  }
  assert.deepEqual(
    (await other.symptoms()).map(({ rule, count }) => [rule, count]),
    [['often', 20]],
  );
  assert.equal((await one.symptoms()).length, 10);
  assert.equal(returned.size, 40);
  one.end();
  other.end();
  await pool.close();
});

test('a batch that breaks a worker fails its request only, and the worker is replaced', async () => {
  const pool = createRecognitionPool(corpus, { workers: 1 });
  const broken = pool.open();
  const impossible = { ...wholeBatch('flooding line\n', header), length: 1e9, ownTo: 1e9 };
  await assert.rejects(async () => {
    await broken.submit(impossible);
    await broken.symptoms();
  }, /worker broke off/);
  await assert.rejects(broken.submit(wholeBatch('x\n', header)), /worker broke off/);
  const next = await symptomsOf(pool, [wholeBatch('flooding line\n', header)]);
  assert.equal(next.length, 1);
  await pool.close();
});

test('what is used after its end says so', async () => {
  const pool = createRecognitionPool(corpus, { workers: 1 });
  const recognition = pool.open();
  recognition.end();
  await assert.rejects(recognition.submit(wholeBatch('x\n', header)), /has ended/);
  const other = pool.open();
  await pool.close();
  await assert.rejects(other.symptoms(), /closed/);
  assert.throws(() => pool.open(), /closed/);
});
