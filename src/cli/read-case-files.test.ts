import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StartupError } from '../core/errors.ts';
import { readCaseAbout, readCaseExpected } from './read-case-files.ts';

function refusal(read: () => unknown): string {
  try {
    read();
  } catch (error) {
    if (error instanceof StartupError) return error.message;
    throw error;
  }
  return '';
}

test('a case.yaml that cannot be read is refused with the file, the place and what to write', () => {
  for (const [text, says] of [
    ['title: [\n', /^c\/case\.yaml:\d+:\d+: /],
    ['', /^c\/case\.yaml: case is no object/],
    ['title: x\n', /^c\/case\.yaml: case\.now is no time with its offset: write one such as/],
    ['now: 2026-03-02\n', /case\.now is no time/],
    ['title: 5\nnow: "2026-03-02T10:14:33Z"\n', /case\.title is no text/],
    ['now: "2026-03-02T10:14:33Z"\nvariants: x\n', /case\.variants is no list/],
    [
      'now: "2026-03-02T10:14:33Z"\nvariants: [{name: a, substitute: {b: 1}}]\n',
      /variants\[0\]\.substitute\.b is no text/,
    ],
  ] as const) {
    assert.match(
      refusal(() => readCaseAbout('c/case.yaml', text)),
      says,
    );
  }
});

test('an expected.json that cannot be read is refused with the file, the place and what may stand there', () => {
  const read = (value: unknown) => refusal(() => readCaseExpected('e.json', JSON.stringify(value)));
  assert.match(
    refusal(() => readCaseExpected('e.json', '{"targets": [')),
    /^e\.json: is no JSON: /,
  );
  assert.match(read([]), /^e\.json: expected is no object/);
  assert.match(read({}), /expected\.targets is no list/);
  assert.match(read({ targets: [{ type: 'node' }] }), /targets\[0\]\.type is none of Node, AllJobResources/);
  assert.match(read({ targets: [{ type: 'Node' }] }), /targets\[0\]\.node is no text/);
  assert.match(read({ targets: [], categories: ['gpu'] }), /categories\[0\] is none of accelerator_gpu/);
  assert.match(read({ targets: [], error: 'none' }), /error is none of /);
  assert.match(read({ targets: [], must_not_name: ['node-01'] }), /must_not_name\[0\] is no object/);
  assert.equal(read({ targets: [{ type: 'Node', node: 'node-01' }] }), '');
});
