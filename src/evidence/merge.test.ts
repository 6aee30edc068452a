import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Ending, merge } from './merge.ts';

async function* count(name: string, to: number): AsyncGenerator<string, string, void> {
  for (let n = 0; n < to; n++) yield `${name}${n}`;
  return name;
}

async function drain<T, R>(
  merged: AsyncGenerator<T, readonly Ending<R>[], void>,
): Promise<{ items: T[]; endings: readonly Ending<R>[] }> {
  const items: T[] = [];
  for (;;) {
    const step = await merged.next();
    if (step.done) return { items, endings: step.value };
    items.push(step.value);
  }
}

test('everything arrives, each generator in its own order, and endings come in the order given', async () => {
  const { items, endings } = await drain(merge([count('a', 3), count('b', 0), count('c', 2)]));
  assert.deepEqual(
    items.filter(item => item.startsWith('a')),
    ['a0', 'a1', 'a2'],
  );
  assert.deepEqual(
    items.filter(item => item.startsWith('c')),
    ['c0', 'c1'],
  );
  assert.deepEqual(
    endings.map(ending => (ending.kind === 'returned' ? ending.value : ending.kind)),
    ['a', 'b', 'c'],
  );
});

test('a fast generator does not starve a slower one', async () => {
  const { items } = await drain(merge([count('a', 100), count('b', 3)]));
  assert.ok(items.indexOf('b2') < 20);
});

test('no generator is more than one item ahead of the consumer', async () => {
  let made = 0;
  async function* eager(): AsyncGenerator<number, void, void> {
    for (;;) yield made++;
  }
  const merged = merge([eager()]);
  for (let taken = 1; taken <= 5; taken++) {
    await merged.next();
    await new Promise(resolve => setImmediate(resolve));
    assert.ok(made <= taken + 1);
  }
  await merged.return(undefined as never);
});

test('one that throws ends alone', async () => {
  async function* broken(): AsyncGenerator<string, string, void> {
    yield 'x0';
    throw new Error('bug');
  }
  const { items, endings } = await drain(merge([broken(), count('a', 5)]));
  assert.equal(items.length, 6);
  assert.deepEqual(
    endings.map(ending => ending.kind),
    ['threw', 'returned'],
  );
});

test('one that never ends is abandoned once patience is over', async () => {
  const patience = new AbortController();
  async function* stuck(): AsyncGenerator<string, string, void> {
    yield 's0';
    await new Promise(() => {});
    return 's';
  }
  const merged = merge([stuck(), count('a', 2)], patience.signal);
  setImmediate(() => patience.abort());
  const { items, endings } = await drain(merged);
  assert.deepEqual([...items].sort(), ['a0', 'a1', 's0']);
  assert.deepEqual(
    endings.map(ending => ending.kind),
    ['abandoned', 'returned'],
  );
});

test('generators are closed when the consumer leaves early', async () => {
  let closed = 0;
  async function* endless(): AsyncGenerator<number, void, void> {
    try {
      for (;;) yield 1;
    } finally {
      closed++;
    }
  }
  for await (const _ of merge([endless(), endless()])) break;
  await new Promise(resolve => setImmediate(resolve));
  assert.equal(closed, 2);
});
