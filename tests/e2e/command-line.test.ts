import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { checkout, entry, runCommand, temporaryFolder } from '../support/service.ts';

const evidence = 'cases/xid-79-while-peers-time-out/evidence';

test('--version names the version and the contract', async () => {
  const { code, stdout } = await runCommand(['--version']);
  assert.equal(code, 0);
  assert.match(stdout, /^attribution-adapter \d+\.\d+\.\d+ \(contract schema 0\.1\.0\)\n$/);
});

for (const [what, args, says, env = {}] of [
  ['an unknown option', ['analyze', '.', '--nodez', 'x'], /unknown option '--nodez'/],
  ['an unknown command', ['analyse', '.'], /unknown command 'analyse'/],
  ['a folder that is none', ['analyze', '/no/such/folder'], /\/no\/such\/folder does not exist/],
  [
    'a time without offset',
    ['analyze', '.', '--end', '2026-03-02T10:00:00'],
    /--end 2026-03-02T10:00:00: write a time with its offset/,
  ],
  ['a zone that is none', ['analyze', '.', '--timezone', 'Mars'], /--timezone Mars: no such zone/],
  ['an output form that is none', ['analyze', '.', '-o', 'xml'], /-o xml: must be one of table, json/],
  [
    'evidence that is missing',
    ['serve', '--evidence', '/no/such/folder'],
    /--evidence \/no\/such\/folder does not exist/,
  ],
  ['standard input', ['analyze', '-'], /: - would be standard input, .*save it to a file/],
  ['a device', ['analyze', '/dev/null'], /\/dev\/null is a device, .*save it to a file/],
  ['a device served', ['serve', '--evidence', '/dev/null'], /--evidence \/dev\/null is a device/],
  [
    'tokens in the clear',
    ['serve', '--listen', '0.0.0.0:0', '--evidence', evidence],
    /tokens would cross the network in the clear/,
    { ATTRIBUTION_CALLERS_TOKENS: `[{name: a, sha256: [${'a'.repeat(64)}]}]` },
  ],
] as const) {
  test(`${what} is one clear line on standard error and exit code 2`, async () => {
    const { code, stdout, stderr } = await runCommand(args, { env });
    assert.equal(code, 2);
    assert.equal(stdout, '');
    assert.match(stderr, says);
    assert.doesNotMatch(stderr, /\n {4}at /);
  });
}

test('a pipe is told, and what to do instead', async () => {
  const command = `cat package.json | ${process.execPath} ${entry} analyze /dev/stdin package.json <(cat package.json)`;
  const { code, stderr } = await new Promise<{ code: unknown; stderr: string }>(resolve => {
    execFile('bash', ['-c', command], { cwd: checkout }, (error, _, text) =>
      resolve({ code: error?.code, stderr: text }),
    );
  });
  assert.equal(code, 2);
  const lines = stderr.trimEnd().split('\n');
  assert.equal(lines.length, 2);
  for (const line of lines) assert.match(line, /: \/dev\/\S+ is a pipe, .*: save it to a file, and give that$/);
});

test('a link that leads round in a circle is read as nothing, and the rest as ever', async context => {
  const folder = temporaryFolder(context);
  symlinkSync('self', join(folder, 'self'));
  const { code, stdout, stderr } = await runCommand(['analyze', folder]);
  assert.equal(code, 0);
  assert.match(stdout, /^UNKNOWN/);
  assert.doesNotMatch(stderr, /\n {4}at /);
});

test('a state folder that cannot be made ends start-up with one line', async () => {
  const { code, stderr } = await runCommand([
    'serve',
    '--listen',
    '127.0.0.1:0',
    '--state',
    '/proc/none',
    '--evidence',
    evidence,
  ]);
  assert.equal(code, 1);
  assert.match(stderr, /^attribution-adapter: state folder \/proc\/none: .*\n$/);
});

test('configuration mistakes are told by place, all at once', async context => {
  const path = join(temporaryFolder(context), 'config.yaml');
  writeFileSync(path, 'listen:\n  pubic: 1\nlog:\n  level: loud\n');
  const { code, stderr } = await runCommand(['--config', path, 'config', 'check']);
  assert.equal(code, 2);
  assert.match(stderr, /config\.yaml:2:10: unknown setting listen\.pubic/);
  assert.match(stderr, /config\.yaml:4:10: log\.level must be one of debug, info, warn, error/);
});

test('what well-formed settings point at is told by place, all at once', async context => {
  const folder = temporaryFolder(context);
  const path = join(folder, 'config.yaml');
  const text = join(folder, 'text.pem');
  writeFileSync(text, 'no certificate');
  const lines = [
    'listen: {public: "0.0.0.0:8000", attributor: "0.0.0.0:8001"}',
    'attributor:',
    '  enabled: true',
    `  callers: {tokens: [{name: a, sha256: [${'a'.repeat(64)}]}]}`,
    'tls: {certificate: /nope, key: /nope}',
    'operations:',
    `  tls: {certificate: ${text}, key: ${text}, clientAuthority: ${text}}`,
    'rules:',
    `  directories: [/nonexistent, ${join(folder, 'config.yaml')}]`,
    '  disable:',
    '    - gpu/xid',
    '    - noise/nope',
    'provider: {kind: fact}',
    'sessions: {store: postgres}',
    'postgres: {passwordFile: /no/password, tls: {caFile: /no/ca, mode: verified}}',
  ];
  writeFileSync(path, `${lines.join('\n')}\n`);
  const { code, stdout, stderr } = await runCommand(['--config', path, 'config', 'check'], {
    env: { ATTRIBUTION_ATTRIBUTOR_TLS_KEY: '/no/key' },
  });
  assert.equal(code, 2);
  assert.equal(stdout, '');
  const told = stderr.trimEnd().split('\n');
  const place = (line: number, column: number): string => `attribution-adapter: ${path}:${line}:${column}: `;
  for (const [where, says] of [
    [place(5, 20), /^tls\.certificate \/nope cannot be read \(ENOENT\)/],
    [place(5, 32), /^tls\.key \/nope cannot be read \(ENOENT\)/],
    [place(7, 22), /^operations\.tls\.certificate .* cannot be used together/],
    [
      place(7, (lines[6]?.lastIndexOf(text) ?? 0) + 1),
      /^operations\.tls\.clientAuthority .* holds no certificate/,
    ],
    [
      'attribution-adapter: environment: ATTRIBUTION_ATTRIBUTOR_TLS_KEY: ',
      /^attributor\.tls\.key is set without attributor\.tls\.certificate/,
    ],
    [place(1, 18), /^listen\.public: .* callers are not authenticated/],
    [
      place(1, 46),
      /^listen\.attributor: .* tokens would cross the network in the clear.* set attributor\.tls\.certificate/,
    ],
    [place(9, 17), /^rules\.directories: cannot read the rule directory \/nonexistent \(ENOENT\)/],
    [place(9, 31), /^rules\.directories: .*config\.yaml \(ENOTDIR\)/],
    [place(12, 7), /^rules\.disable: noise\/nope is neither the id of a rule nor a code/],
    [place(13, 11), /^provider\.fact\.url is empty/],
    [place(15, 26), /^postgres\.passwordFile: \/no\/password cannot be read \(ENOENT\)/],
    [place(15, 54), /^postgres\.tls\.caFile: \/no\/ca cannot be read \(ENOENT\)/],
  ] as const) {
    const line = told.find(each => each.startsWith(where) && says.test(each.slice(where.length)));
    assert.ok(line !== undefined, `${where}${says}\n${stderr}`);
  }
  assert.equal(told.length, 13, stderr);
});

test('settings that point at what is there are right', async context => {
  const path = join(temporaryFolder(context), 'config.yaml');
  writeFileSync(path, 'rules: {disable: [gpu/xid, xid-79]}\n');
  const { code, stdout } = await runCommand(['--config', path, 'config', 'check']);
  assert.deepEqual([code, stdout], [0, 'the configuration is right\n']);
});

test('json goes to standard output without colour, and a full disk is told in one line', async () => {
  const { stdout } = await runCommand(['analyze', evidence, '-o', 'json'], { env: { FORCE_COLOR: '1' } });
  assert.ok(!stdout.includes('\u001b'));
  assert.deepEqual(Object.keys(JSON.parse(stdout) as object).sort(), ['coverage', 'inferred', 'response']);
  const full = await new Promise<{ code: unknown; stderr: string }>(resolve => {
    const command = `"${process.execPath}" "${entry}" config show > /dev/full`;
    execFile('sh', ['-c', command], { cwd: checkout }, (error, _stdout, stderr) =>
      resolve({ code: error?.code, stderr }),
    );
  });
  assert.equal(full.code, 1);
  assert.equal(full.stderr, 'attribution-adapter: cannot write the output (ENOSPC)\n');
});

test('what holds for every command may stand before or after its name', async () => {
  for (const args of [
    ['--config', '/no/such/file', 'analyze', '--job', '42'],
    ['analyze', '--job', '42', '--config', '/no/such/file'],
    ['rules', 'list', '--config', '/no/such/file'],
  ]) {
    const { code, stderr } = await runCommand(args);
    assert.equal(code, 2);
    assert.match(stderr, /cannot read the configuration file \/no\/such\/file/);
  }
});

test('a finding without a time is dated by the scheduler or the files, never by the present', async context => {
  const folder = temporaryFolder(context);
  const write = (name: string, lines: readonly string[]): void => {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), `${lines.join('\n')}\n`);
    utimesSync(join(folder, name), 1_774_300_000, 1_774_300_000);
  };
  const dates = async (): Promise<readonly string[]> => {
    for (const name of ['.', 'job']) utimesSync(join(folder, name), 1_774_300_000, 1_774_300_000);
    const { stdout } = await runCommand(['analyze', folder, '--job', '42', '-o', 'json']);
    const { response } = JSON.parse(stdout) as { response: { attributions: { observed_at: string }[] } };
    return response.attributions.map(finding => finding.observed_at);
  };
  write('job/train.out', [
    'Traceback (most recent call last):',
    '  File "t.py", line 3, in f',
    "KeyError: 'lr'",
  ]);
  assert.deepEqual(await dates(), ['2026-03-23T21:06:40Z']);
  write('scheduler/sacct.txt', [
    'JobID|State|ExitCode|Start|End|NodeList',
    '42|FAILED|1:0|2026-03-23T19:20:00|2026-03-23T19:22:58|node-[01-02]',
  ]);
  assert.deepEqual(await dates(), ['2026-03-23T19:22:58Z']);
});
