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
  const shipped = new Map(
    Object.entries(packages)
      .filter(([path, { dev }]) => path !== '' && dev !== true)
      .map(([path, { version, integrity }]) => [`${path.split('node_modules/').at(-1)}@${version}`, integrity]),
  );
  const listed = new Map(bill.components.map(each => [`${each.name}@${each.version}`, each]));
  assert.deepEqual([...listed.keys()].sort(), [...shipped.keys()].sort());
  // What the package itself asks for, whatever the lock file says of it.
  const direct = packages['']?.['dependencies'] as Readonly<Record<string, string>>;
  for (const [name, version] of Object.entries(direct)) assert.ok(listed.has(`${name}@${version}`), name);
  for (const [id, { licenses = [], hashes = [] }] of listed) {
    assert.ok(licenses.length > 0, `${id} has no licence`);
    for (const { license } of licenses)
      assert.ok(allowedLicences.includes(license.id ?? ''), `${id}: ${license.id}`);
    const sums = hashes.map(({ content }) => `sha512-${Buffer.from(content, 'hex').toString('base64')}`);
    assert.deepEqual(sums, [shipped.get(id)], id);
  }
});
