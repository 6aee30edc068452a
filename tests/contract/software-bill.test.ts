import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readLock, softwareBill } from '../support/software-bill.ts';

const allowedLicences = ['Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', '0BSD', 'ISC', 'MIT'];

interface Component {
  readonly name: string;
  readonly version: string;
  readonly licenses?: readonly { readonly license: { readonly id?: string } }[];
  readonly hashes?: readonly { readonly alg: string; readonly content: string }[];
}

interface Bill {
  readonly bomFormat: string;
  readonly metadata: { readonly component: Component };
  readonly components: readonly Component[];
}

test('the bill lists every package that is shipped, with version, an allowed licence and its hash', () => {
  const bill = JSON.parse(softwareBill()) as Bill;
  assert.equal(bill.bomFormat, 'CycloneDX');
  assert.equal(bill.metadata.component.name, 'attribution-adapter');
  const { packages } = readLock();
  const shipped = Object.entries(packages).filter(([path, { dev }]) => path !== '' && dev !== true);
  assert.deepEqual(
    bill.components.map(({ name, version }) => `${name}@${version}`).sort(),
    [
      ...new Set(shipped.map(([path, { version }]) => `${path.split('node_modules/').at(-1)}@${version}`)),
    ].sort(),
  );
  // What the package itself asks for, whatever the lock file says of it.
  const direct = packages['']?.['dependencies'] as Readonly<Record<string, string>>;
  for (const [name, version] of Object.entries(direct)) {
    assert.ok(
      bill.components.some(each => each.name === name && each.version === version),
      name,
    );
  }
  const integrity = new Map(
    shipped.map(([path, entry]) => [path.split('node_modules/').at(-1), entry.integrity]),
  );
  for (const { name, licenses = [], hashes = [] } of bill.components) {
    assert.ok(licenses.length > 0, `${name} has no licence`);
    for (const { license } of licenses)
      assert.ok(allowedLicences.includes(license.id ?? ''), `${name}: ${license.id}`);
    const sums = hashes.map(({ content }) => `sha512-${Buffer.from(content, 'hex').toString('base64')}`);
    assert.deepEqual(sums, [integrity.get(name)], name);
  }
});
