import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chooseNodes } from './choose.ts';
import type { Screened } from './screen.ts';

function screened(metric: string, ...nodes: readonly string[]): Screened {
  return {
    need: { metric, when: 'changed', threshold: 0, served: metric },
    found: {
      family: { prefix: metric, needs: [] },
      label: 'host',
      wanted: new Map(),
      job: [],
      values: [],
      samples: new Map(),
      stopped: [],
      trouble: null,
    },
    nodes,
    cut: false,
    centre: null,
    trouble: null,
  };
}

const shown = (most: number, ...screens: readonly Screened[]) => {
  const { chosen, left } = chooseNodes(screens, most);
  return { chosen: chosen.map(({ screened: { need }, nodes }) => `${need.metric}: ${nodes}`), left };
};

test('the first of every metric comes before the second of any', () => {
  assert.deepEqual(shown(3, screened('loud', 'a', 'b', 'c', 'd'), screened('quiet', 'x')), {
    chosen: ['loud: a,b', 'quiet: x'],
    left: ['c', 'd'],
  });
});

test('a node that is read is read of every metric that points at it', () => {
  assert.deepEqual(shown(2, screened('one', 'a', 'b'), screened('other', 'b', 'a', 'c')), {
    chosen: ['one: a,b', 'other: b,a'],
    left: ['c'],
  });
});
