import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultFilesSettings, parseFilesSettings } from './settings.ts';

const least = { name: 'logs', kind: 'files', roots: ['/var/log/cluster'] };

function problemsOf(input: unknown): readonly string[] {
  const parsed = parseFilesSettings(input);
  return parsed.ok ? [] : parsed.problems;
}

test('a name and a root suffice, and loose files of a configured root are never trusted', () => {
  assert.deepEqual(parseFilesSettings(least), {
    ok: true,
    settings: {
      ...defaultFilesSettings,
      name: 'logs',
      trust: 'configured',
      roots: [{ path: '/var/log/cluster', templates: [] }],
    },
  });
});

test('every setting is taken over', () => {
  const parsed = parseFilesSettings({
    ...least,
    roots: [
      { path: '/jobs', templates: [{ path: '{workload_id}' }, { path: '{node}.log', origin: 'kernel' }] },
    ],
    timezone: 'Europe/Berlin',
    skipUnchanged: false,
    bisectFromBytes: 5,
    expandedBytes: 2 ** 21,
    expansionRatio: 9,
    lanes: 2,
    mostFiles: 7,
  });
  assert.ok(parsed.ok);
  const { settings } = parsed;
  assert.deepEqual(settings.roots[0]?.templates, [
    { path: '{workload_id}', origin: null },
    { path: '{node}.log', origin: 'kernel' },
  ]);
  assert.equal(settings.timezone, 'Europe/Berlin');
  assert.equal(settings.skipUnchanged, false);
  assert.equal(settings.expansion.bytes, 2 ** 21);
  assert.equal(settings.expansion.ratio, 9);
  assert.deepEqual([settings.bisectFromBytes, settings.lanes, settings.mostFiles], [5, 2, 7]);
});

test('mistakes name value, place and remedy', () => {
  assert.deepEqual(problemsOf({ ...least, roots: [''] }), [
    'roots.0: is empty: write the path of a folder or file',
  ]);
  assert.deepEqual(problemsOf({ ...least, roots: [{ path: '/a', templates: [{ path: '../{node}' }] }] }), [
    'roots.0.templates.0.path: "../{node}" must not have empty, "." or ".." parts: write the path below its root',
  ]);
  assert.deepEqual(problemsOf({ ...least, timezone: 'Berlin' }), [
    'timezone: "Berlin" is no zone: write an IANA name such as Europe/Berlin, or UTC',
  ]);
});

test('what is no setting or has no value is refused with its place', () => {
  for (const [input, place] of [
    [{ ...least, rots: [] }, /^the source: has an unknown setting.*rots/],
    [{ ...least, roots: [] }, /^roots: /],
    [{ ...least, lanes: 0 }, /^lanes: /],
    [{ ...least, trust: 'command-line' }, /trust/],
    [{ kind: 'files', roots: ['/a'] }, /^the source: .*name/],
    [{ ...least, roots: [{ path: '/a', templates: [{ path: 'a', origin: 'gpu' }] }] }, /^roots\.0/],
    [null, /^the source: /],
  ] as const) {
    const problems = problemsOf(input);
    assert.ok(problems.length > 0 && problems.some(problem => place.test(problem)), problems.join('\n'));
  }
});

test('all mistakes are told at once, each at its own place', () => {
  const templates = [
    { path: '../{node}.log', origin: 'kernel' },
    { path: 'etc/{nodez}', origin: 'moon' },
  ];
  const problems = problemsOf({
    ...least,
    roots: ['', { path: 'rel', templates }],
    timezone: 'Mars',
    lanes: 0,
  });
  const places = problems.map(problem => problem.split(': ', 1)[0]).sort();
  assert.deepEqual(places, [
    'lanes',
    'roots.0',
    'roots.1.templates.0.path',
    'roots.1.templates.1.origin',
    'roots.1.templates.1.path',
    'timezone',
  ]);
});
