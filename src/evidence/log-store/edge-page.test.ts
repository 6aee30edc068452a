import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type EdgeCursor, edgePage, type StoredStream } from './edge-page.ts';

interface Entry {
  readonly stream: string;
  readonly nanos: bigint;
  readonly text: string;
}

/** A server that returns the first `limit` entries from a stamp on, entries of one stamp in an order of its own. */
function answer(entries: readonly Entry[], from: bigint, to: bigint, limit: number): readonly StoredStream[] {
  const found = entries
    .filter(({ nanos }) => nanos >= from && nanos < to)
    .toSorted((a, b) => (a.nanos < b.nanos ? -1 : a.nanos > b.nanos ? 1 : 0))
    .slice(0, limit);
  return [...Map.groupBy(found, ({ stream }) => stream)].map(([stream, own]) => ({
    stream,
    node: null,
    entries: own.map(({ nanos, text }) => ({ nanos, text })),
  }));
}

/** Every page until the end. */
function readAll(entries: readonly Entry[], usualLimit: number, mostEntries: number) {
  const window = { from: 0n, to: 100n };
  const got: Entry[] = [];
  const lost: string[] = [];
  let after: EdgeCursor | null = null;
  for (let pages = 0; pages < 1000; pages += 1) {
    const limit: number = after?.limit ?? usualLimit;
    const streams = answer(entries, after?.reached ?? window.from, window.to, limit);
    const page = edgePage(streams, { window, after, limit, usualLimit, mostEntries }, null);
    for (const { stream, stamps, lines } of page.parts) {
      for (const [index, text] of lines.entries()) got.push({ stream, nanos: stamps[index] ?? -1n, text });
    }
    if (page.lost !== null) lost.push(page.lost);
    if (page.next === null) return { got, lost };
    after = page.next;
  }
  throw new Error('the pages do not end');
}

const identity = ({ stream, nanos, text }: Entry): string => `${stream} ${nanos} ${text}`;
const entry = fc.record({
  stream: fc.constantFrom('a', 'b', 'c'),
  nanos: fc.bigInt({ min: 0n, max: 99n }),
  text: fc.stringMatching(/^[a-z]{0,3}$/),
});

test('pages hold every entry once, whatever shares a stamp, as long as a page can hold a stamp', () => {
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 200 }), fc.integer({ min: 1, max: 20 }), (entries, limit) => {
      const { got, lost } = readAll(entries, limit, 1000);
      assert.deepEqual(lost, []);
      const wanted = [...new Set(entries.map(identity))];
      assert.deepEqual(got.map(identity).sort(), wanted.sort());
    }),
  );
});

test('where a page cannot hold a stamp that is said, no entry comes twice and later ones still come', () => {
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 200 }), fc.integer({ min: 1, max: 5 }), (entries, limit) => {
      const { got, lost } = readAll(entries, limit, limit);
      assert.equal(new Set(got.map(identity)).size, got.length);
      const crowded = [...Map.groupBy(entries, ({ nanos }) => nanos)].filter(([, own]) => own.length >= limit);
      const late = entries.filter(({ nanos }) => !crowded.some(([stamp]) => stamp === nanos));
      const found = new Set(got.map(identity));
      assert.ok(late.every(each => found.has(identity(each))));
      if (got.length < new Set(entries.map(identity)).size) assert.ok(lost.length > 0);
    }),
  );
});

test('equal texts of one stamp are apart where entries have ids', () => {
  const entries = [
    { nanos: 1n, text: 'x', id: 'd1' },
    { nanos: 1n, text: 'x', id: 'd2' },
    { nanos: 1n, text: 'x', id: 'd2' },
  ];
  const request = { window: { from: 0n, to: 9n }, after: null, limit: 10, usualLimit: 10, mostEntries: 10 };
  const page = edgePage([{ stream: 'a', node: null, entries }], request, null);
  assert.deepEqual(page.parts[0]?.lines, ['x', 'x']);
});
