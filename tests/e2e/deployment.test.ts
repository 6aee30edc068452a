import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readSettings } from '../../src/config/read-settings.ts';
import { isInstalled, pathOf } from '../support/installed.ts';
import { checkout } from '../support/service.ts';

const unit = join(checkout, 'deploy/systemd/attribution-adapter.service');
const unitText = readFileSync(unit, 'utf8');
const containerText = readFileSync(join(checkout, 'deploy/container/Containerfile'), 'utf8');
const skip = isInstalled(['systemd-analyze'], ['systemd']) ? false : 'systemd-analyze cannot be installed here';

/** The value of a setting of the unit. */
const settingOf = (name: string): string => new RegExp(`^${name}=(.*)$`, 'm').exec(unitText)?.[1] ?? '';

test('systemd understands every line of the unit', { skip }, () => {
  const { stderr, stdout } = spawnSync(pathOf('systemd-analyze'), ['verify', unit], { encoding: 'utf8' });
  assert.doesNotMatch(stderr + stdout, /attribution-adapter\.service:\d+: /);
});

test('systemd calls the unit well confined', { skip }, () => {
  const { stdout } = spawnSync(pathOf('systemd-analyze'), ['security', '--offline=true', unit], {
    encoding: 'utf8',
  });
  const level = Number(/Overall exposure level for \S+: ([0-9.]+)/.exec(stdout)?.[1]);
  assert.ok(level < 2, stdout);
});

test('the unit starts what the guide installs', () => {
  const guide = readFileSync(join(checkout, 'docs/guides/deployment.md'), 'utf8');
  const { name, version } = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8')) as Record<
    string,
    string
  >;
  const [, prefix] = /^npm install --global --prefix (\S+) \.\/(?:\S+)$/m.exec(guide) ?? [];
  assert.ok(guide.includes(`./${name}-${version}.tgz`));
  assert.equal(settingOf('ExecStart').split(' ')[0], `${prefix}/bin/${name}`);
});

test('the unit waits longer than the service takes to end', () => {
  const { settings } = readSettings({ file: null, environment: {}, flags: {} });
  assert.ok(Number(settingOf('TimeoutStopSec')) * 1000 > settings.shutdown.graceMs + 5_000);
});

test('the container copies only what is there, and leaves root behind', () => {
  const copied = [...containerText.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(
    match => match[1]?.split(' ') ?? [],
  );
  assert.ok(copied.length > 5);
  for (const path of copied) assert.ok(existsSync(join(checkout, path)), path);
  const ignored = readFileSync(join(checkout, '.dockerignore'), 'utf8').split('\n');
  for (const path of copied) assert.ok(ignored.includes(`!${path}`), path);
  const users = [...containerText.matchAll(/^USER (.+)$/gm)].map(match => match[1]);
  assert.deepEqual(users, ['65532:65532']);
});

test('however it is deployed, freed memory goes back to the system', () => {
  const command = readFileSync(join(checkout, 'attribution-adapter'), 'utf8');
  assert.equal(/^Environment=(MALLOC_.*)$/m.exec(unitText)?.[1], /^ENV (MALLOC_.*)$/m.exec(containerText)?.[1]);
  const set = [...unitText.matchAll(/\b(MALLOC_\w+)=(\d+)/g)];
  assert.equal(set.length, 2);
  for (const [, name, value] of set) assert.ok(command.includes(`${name}:-${value}}`), name);
});
