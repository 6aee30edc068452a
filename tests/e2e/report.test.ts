import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { stringify } from 'yaml';
import { caseFolder, post } from '../conformance/example.ts';
import { postgresPrograms, startPostgres } from '../support/postgres-cluster.ts';
import { runCommand, startService, temporaryFolder } from '../support/service.ts';

const request = JSON.parse(readFileSync(join(caseFolder, 'request.json'), 'utf8')) as Record<string, unknown>;

interface Report {
  readonly failures: number;
  readonly shadow: number;
  readonly marked: number;
  readonly node: { readonly right: number; readonly wrong: number; readonly precision: number | null };
  readonly rules: readonly { readonly name: string; readonly named: number; readonly right: number }[];
  readonly not_marked: readonly {
    readonly about: string;
    readonly workload_id: string;
    readonly nodes: string[];
  }[];
}

/** Three failures in shadow, of which two are marked; `env` says where they are kept. */
async function markAndReport(env: Readonly<Record<string, string>>): Promise<void> {
  const run = (...args: readonly string[]) => runCommand(args, { env });
  const service = await startService(['--evidence', join(caseFolder, 'evidence')], {
    ...env,
    ATTRIBUTION_SHADOW: 'true',
  });
  try {
    const ask = async (workload: string) =>
      (await post(service.url, { ...request, workload_id: workload })).body;
    const [first, second, third] = [await ask('48213'), await ask('48214'), await ask('48215')];

    const stranger = await run(
      'mark',
      first.request_id,
      '--node',
      'node-3',
      '--node',
      'node-04.cluster.example',
    );
    assert.equal(stranger.code, 0);
    assert.match(
      stranger.stderr,
      /warning: node-3 is not among what the answers looked at \(node-\[01-04\]\): where that is a slip, mark again\n$/,
    );
    const right = await run(
      'mark',
      first.attribution_session_id ?? '',
      '--node',
      'node-03',
      '--note',
      'card swapped',
    );
    assert.deepEqual([right.code, right.stdout], [0, `marked ${first.attribution_session_id}: node-03\n`]);
    assert.equal(right.stderr, '');
    // By the request, and by the workload, it is the session that is marked; the last mark counts.
    assert.equal((await run('mark', second.request_id, '--unknown')).code, 0);
    assert.equal((await run('mark', '48214', '--application', '--note', 'out of \u001b[31m\nmemory')).code, 0);

    const told = await run('report', '--shadow', '-o', 'json');
    assert.equal(told.code, 0, told.stderr);
    const report = JSON.parse(told.stdout) as Report;
    assert.deepEqual([report.failures, report.shadow, report.marked], [3, 3, 2]);
    assert.deepEqual([report.node.right, report.node.wrong, report.node.precision], [1, 1, 0.5]);
    assert.deepEqual(
      report.not_marked.map(({ about, workload_id, nodes }) => [about, workload_id, nodes]),
      [[third.attribution_session_id, '48215', ['node-03']]],
    );
    const [rule] = report.rules;
    assert.match(rule?.name ?? '', /^gpu\/xid xid-79$/);
    assert.deepEqual([rule?.named, rule?.right], [3, 1]);

    const text = await run('report', '--since', '36h');
    assert.match(text.stdout, /^REPORT {2}\S+ to \S+ {2}3 failures, 3 in shadow, 2 marked\n/);
    assert.match(text.stdout, /node {2}named 3: right 1, wrong 1; missed 0; precision 0\.500, recall 1\.000\n/);
    assert.match(
      text.stdout,
      new RegExp(`${third.attribution_session_id} {2}job 48215 {2}said node node-03\n`),
    );
    assert.ok(
      text.stdout.includes(
        `  ${second.attribution_session_id}  job 48214  said node node-03; at fault the application (out of  memory)\n`,
      ),
    );
    const later = JSON.parse((await run('report', '--phase', 'slow', '-o', 'json')).stdout) as Report;
    assert.equal(later.failures, 0);
  } finally {
    await service.stop();
  }
}

test('what shadow mode kept is marked and reported, from the embedded store', async context => {
  await markAndReport({ ATTRIBUTION_STATE: temporaryFolder(context) });
});

const programs = postgresPrograms();
suite('with PostgreSQL', { skip: programs === null && 'PostgreSQL cannot be installed here' }, () => {
  test('what shadow mode kept is marked and reported, from the shared store', async context => {
    const cluster = await startPostgres(programs ?? '');
    context.after(() => cluster.close());
    const folder = temporaryFolder(context);
    const config = join(folder, 'config.yaml');
    writeFileSync(config, stringify({ sessions: { store: 'postgres' }, postgres: cluster.database() }));
    await markAndReport({ ATTRIBUTION_STATE: folder, ATTRIBUTION_CONFIG: config });
  });
});

test('what cannot be marked or reported is told with its remedy', async context => {
  const state = temporaryFolder(context);
  const service = await startService(['--evidence', join(caseFolder, 'evidence'), '--state', state]);
  const asked = [await post(service.url, request), await post(service.url, request)];
  await service.stop();
  const [a, b] = asked.map(({ body }) => body.attribution_session_id);
  for (const [args, code, says] of [
    [['mark', 'none', '--unknown'], 1, /no answer is kept of a request, session or workload of that id/],
    [
      ['mark', String(request['workload_id']), '--unknown'],
      1,
      new RegExp(`has 2 failures: .*(${a}.*${b}|${b}.*${a})`),
    ],
    [['mark', String(a)], 2, /by one of --node NAME, --application and --unknown/],
    [
      ['mark', String(a), '--unknown', '--application'],
      2,
      /by one of --node NAME, --application and --unknown/,
    ],
    [['mark', String(a), '--node', ''], 2, /--node "": give the name of the node/],
    [
      ['mark', String(a), '--unknown', '--note', 'x'.repeat(1_001)],
      2,
      /--note has 1001 characters: write at most 1000/,
    ],
    [['report', '--since', 'yesterday'], 2, /--since yesterday: write days or hours such as 14d or 36h/],
    [['report', '--phase', 'soon'], 2, /--phase soon: must be one of fast, slow/],
    [['report', '-o', 'yaml'], 2, /-o yaml: must be one of table, json/],
  ] as const) {
    const result = await runCommand([...args, '--state', state]);
    assert.equal(result.code, code, args.join(' '));
    assert.match(result.stderr, says);
  }
});
