import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StartupError } from '../core/errors.ts';
import { readSettings, type SettingsLayers } from './read-settings.ts';
import { settingLeaves } from './settings-tree.ts';

function read(layers: Partial<SettingsLayers>): ReturnType<typeof readSettings> {
  return readSettings({ file: null, environment: {}, flags: {}, ...layers });
}

function messageOf(layers: Partial<SettingsLayers>): string {
  try {
    read(layers);
  } catch (error) {
    assert.ok(error instanceof StartupError);
    return error.message;
  }
  return assert.fail('no mistake was found');
}

const file = (text: string): Partial<SettingsLayers> => ({ file: { path: 'config.yaml', text } });

test('without layers every setting has its default', () => {
  const { settings, origins } = read({});
  assert.equal(settings.listen.public, '127.0.0.1:8000');
  assert.equal(settings.window.beforeMinutes, 15);
  assert.deepEqual(new Set(Object.values(origins)), new Set(['default']));
});

test('flags win over the environment, that over the file, that over defaults', () => {
  const layers = {
    ...file('listen:\n  public: 127.0.0.1:1\nlog:\n  level: warn\nwindow:\n  beforeMinutes: 20\n'),
    environment: { ATTRIBUTION_LISTEN_PUBLIC: '127.0.0.1:2', ATTRIBUTION_LOG_LEVEL: 'error' },
    flags: { 'listen.public': '127.0.0.1:3' },
  };
  const { settings, origins } = read(layers);
  assert.equal(settings.listen.public, '127.0.0.1:3');
  assert.equal(settings.log.level, 'error');
  assert.equal(settings.window.beforeMinutes, 20);
  assert.equal(origins['listen.public'], 'flag');
  assert.equal(origins['log.level'], 'environment');
  assert.equal(origins['window.beforeMinutes'], 'file');
  assert.equal(origins['window.afterMinutes'], 'default');
});

test('an unknown setting is told with its place', () => {
  assert.equal(
    messageOf(file('listen:\n  pubic: 127.0.0.1:1\n')),
    'config.yaml:2:10: unknown setting listen.pubic: remove it or correct its name',
  );
  for (const name of ['listen.public', '9007199254740993']) {
    assert.equal(
      messageOf(file(`"${name}": 1\n`)),
      `config.yaml:1:1: unknown setting ${name}: remove it or correct its name`,
    );
  }
});

test('a wrong value is told with its place and what is allowed', () => {
  assert.equal(
    messageOf(file('contract:\n  naiveDatetimes: maybe\n')),
    'config.yaml:2:19: contract.naiveDatetimes must be one of refuse, utc',
  );
});

test('a value out of bounds is told', () => {
  assert.match(
    messageOf(file('deadline:\n  maxTimeoutMs: 0\n')),
    /^config\.yaml:2:17: deadline\.maxTimeoutMs must be >= 1$/,
  );
});

test('all mistakes are told at once', () => {
  assert.equal(messageOf(file('a: 1\nb: 2\n')).split('\n').length, 2);
});

test('broken YAML is told with its place', () => {
  assert.match(messageOf(file('listen: [\n')), /^config\.yaml:\d+:\d+: /);
});

test('an unknown variable is told by name', () => {
  assert.match(
    messageOf({ environment: { ATTRIBUTION_LISTEN_PUBIC: 'x' } }),
    /unknown variable ATTRIBUTION_LISTEN_PUBIC/,
  );
});

test('a wrong variable is told by name', () => {
  assert.match(
    messageOf({ environment: { ATTRIBUTION_DEADLINE_MAX_TIMEOUT_MS: 'many' } }),
    /^environment: ATTRIBUTION_DEADLINE_MAX_TIMEOUT_MS must be integer$/,
  );
});

test('a category outside the closed list is refused', () => {
  assert.match(
    messageOf(file('contract:\n  categories:\n    gpu: hardware\n')),
    /contract\.categories\.gpu is no category/,
  );
});

test('the configuration file is no setting', () => {
  assert.equal(
    read({ environment: { ATTRIBUTION_CONFIG: '/x.yaml', HOME: '/root' } }).origins['state'],
    'default',
  );
});

test('every setting says what it does and has a default', () => {
  const silent = settingLeaves.filter(
    ({ schema }) => schema.description === undefined || schema.default === undefined,
  );
  assert.deepEqual(
    silent.map(leaf => leaf.path),
    [],
  );
});

test('two sources of one name are told apart by nobody, which is said with the place of the second', () => {
  const two =
    'sources:\n  - { name: logs, kind: files, roots: [/x] }\n  - { name: logs, kind: files, roots: [/y] }\n';
  assert.match(messageOf(file(two)), /^config\.yaml:3:5: sources\.1: name: "logs" is another source's/);
});

test('what a source finds wrong with its settings is told with the place of the source', () => {
  const message = messageOf(file('sources:\n  - name: logs\n    kind: filez\n'));
  assert.match(message, /^config\.yaml:2:5: sources\.0: kind: "filez" is no kind of source/);
  assert.match(
    messageOf(file('sources:\n  - { name: logs, kind: files, roots: [/x], timezone: Mars }\n')),
    /Mars/,
  );
});

test('an address that is none is told', () => {
  assert.match(
    messageOf({ environment: { ATTRIBUTION_LISTEN_PUBLIC: 'nope' } }),
    /listen address nope: write HOST:PORT/,
  );
});

test('what contradicts itself about the shared store is told with its place, and only where it is used', () => {
  const server = 'postgres:\n  password: a\n  passwordFile: /run/p\n  tls:\n    certFile: /run/c\n';
  assert.deepEqual(messageOf(file(`sessions:\n  store: postgres\n${server}`)).split('\n'), [
    'config.yaml:5:17: postgres.passwordFile stands beside password: keep one of them',
    'config.yaml:7:15: postgres.tls.certFile stands alone: give tls.keyFile as well',
  ]);
  assert.equal(read(file(server)).settings.sessions.store, 'sqlite');
  assert.match(
    messageOf(
      file('sessions:\n  store: postgres\npostgres:\n  host: /run/postgresql\n  tls: { mode: verified }\n'),
    ),
    /postgres.tls.mode is verified, but a unix socket has no TLS: set it to off/,
  );
  assert.match(messageOf(file('postgres:\n  port: 0\n')), /^config.yaml:2:9: postgres.port /);
});

test('aliases that stand for nothing, for what they are a part of, or for too much are told with their place', () => {
  assert.equal(
    messageOf(file('listen:\n  public: *there\n')),
    'config.yaml:2:11: *there stands for nothing: put &there before it',
  );
  assert.equal(
    messageOf(file('sources: &all [*all]\n')),
    'config.yaml:1:16: *all stands for what it is a part of',
  );
  const tens = (name: string, of: string): string => `${name}: &${name} [${Array(10).fill(of).join(', ')}]\n`;
  assert.match(
    messageOf(file(tens('a', 'x') + tens('b', '*a') + tens('c', '*b') + tens('d', '*c'))),
    /^config\.yaml:1:1: /,
  );
  assert.match(messageOf(file('%YAML 1.1\n---\nsources: [{<<: 5}]\n')), /^config\.yaml:\d+:\d+: /);
});

test('a variable that is no YAML is told by its name', () => {
  const environment = { ATTRIBUTION_SOURCES: '[*there]' };
  assert.equal(
    messageOf({ environment }),
    'environment: ATTRIBUTION_SOURCES: is no YAML: *there stands for nothing: put &there before it',
  );
});

test('one mistake is one line, whatever it quotes', () => {
  const text = 'sources: [{ name: a, kind: "one\\ntwo" }]\n';
  assert.match(
    messageOf(file(text)),
    /^config\.yaml:1:11: sources\.0: kind: "one two" is no kind of source: [^\n]+$/,
  );
});

test('shadow mode needs a place that outlives the process for what is not told', () => {
  assert.match(
    messageOf(file('shadow: true\naudit: { enabled: false }\n')),
    /^config\.yaml:1:9: shadow is true, .*set audit\.enabled to true$/,
  );
  assert.match(
    messageOf(file('shadow: true\nsessions: { store: memory }\n')),
    /^config\.yaml:1:9: shadow is true, .*set sessions\.store to sqlite or postgres$/,
  );
  assert.equal(read(file('shadow: true\n')).settings.shadow, true);
  assert.match(messageOf(file('history: { cluster: shadow of a }\n')), /history\.cluster/);
});

test('a pattern of user names that cannot be used is told', () => {
  assert.match(
    messageOf(file("redaction:\n  userNames: ['u\\d+', '(?=x)']\n")),
    /^config\.yaml:2:23: redaction\.userNames\.1 lookahead /,
  );
});

test('a mistake of a default is told at what stands around it, where something does', () => {
  const layers = file('postgres:\n  tls:\n    caFile: /ca.pem\nsessions: {store: postgres}\n');
  assert.match(messageOf(layers), /^config\.yaml:3:5: postgres\.tls\.mode is off/);
  const variables = { ATTRIBUTION_POSTGRES_TLS_CA_FILE: '/ca.pem', ATTRIBUTION_SESSIONS_STORE: 'postgres' };
  assert.match(messageOf({ environment: variables }), /^default: postgres\.tls\.mode is off/);
});

test('the place of a value is its line, its variable or its flag', () => {
  const { placeOf } = read({
    ...file('rules:\n  disable: [a, b]\nstate: /x\n'),
    environment: { ATTRIBUTION_LOG_LEVEL: 'error' },
    flags: { state: '/y' },
  });
  assert.equal(placeOf('rules.disable.1'), 'config.yaml:2:16');
  assert.equal(placeOf('log.level'), 'environment: ATTRIBUTION_LOG_LEVEL');
  assert.equal(placeOf('state'), 'flag');
  assert.equal(placeOf('tls.key'), 'default');
});
