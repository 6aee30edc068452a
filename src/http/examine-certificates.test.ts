import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { makeAuthority } from '../../tests/support/certificates.ts';
import { isInstalled } from '../../tests/support/installed.ts';
import { examineCertificates } from './examine-certificates.ts';

const folder = mkdtempSync(join(tmpdir(), 'attribution-test-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const skip = isInstalled(['openssl'], ['openssl']) ? false : 'openssl is not installed';
const dayMs = 24 * 60 * 60 * 1000;

test('a certificate passes while it lasts, warns when it is about to end, and fails when it has', {
  skip,
}, () => {
  const authority = makeAuthority(folder, 'authority');
  const files = { ...authority.issue('localhost', 30), clientAuthority: '' };
  const at = (days: number) => examineCertificates(files, 'operations.tls', Date.now() + days * dayMs);
  const verdicts = [0, 20, 40].map(days => at(days).map(({ verdict }) => verdict));
  assert.deepEqual(verdicts, [['pass'], ['warn'], ['fail']]);
  assert.match(at(20)[0]?.says ?? '', /^operations\.tls\.certificate is valid for (9|10) days more$/);
  assert.match(at(40)[0]?.says ?? '', /^operations\.tls\.certificate has ended/);
  assert.match(at(20)[0]?.remedy[0] ?? '', /renew it/);
  // The authority's own lasts two days.
  const both = examineCertificates({ ...files, clientAuthority: authority.certificate }, 'tls', Date.now());
  assert.deepEqual(
    both.map(({ verdict }) => verdict),
    ['pass', 'warn'],
  );
});

test('files that cannot be used fail with the name of the setting; no files, no check', () => {
  const none = { certificate: '', key: '', clientAuthority: '' };
  assert.deepEqual(examineCertificates(none, 'tls', 0), []);
  const text = join(folder, 'text.pem');
  writeFileSync(text, 'no certificate');
  const [check] = examineCertificates({ ...none, certificate: text, key: text }, 'attributor.tls', 0);
  assert.equal(check?.verdict, 'fail');
  assert.match(check?.says ?? '', /^attributor\.tls\.certificate .* cannot be used together/);
});

test('an authority that is no certificate fails, since nobody could connect', { skip }, () => {
  const text = join(folder, 'text.pem');
  writeFileSync(text, 'no certificate');
  const files = { ...makeAuthority(folder, 'other').issue('localhost', 30), clientAuthority: text };
  const [check] = examineCertificates(files, 'tls', Date.now());
  assert.equal(check?.verdict, 'fail');
  assert.match(check?.says ?? '', /^tls\.clientAuthority \S+ holds no certificate: give a PEM file/);
});
