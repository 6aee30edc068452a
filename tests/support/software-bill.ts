import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');

/** One package of the lock file. */
interface LockedPackage {
  readonly version?: string;
  readonly license?: string;
  readonly integrity?: string;
  readonly dev?: boolean;
  readonly [member: string]: unknown;
}

interface Lock {
  readonly name: string;
  readonly packages: Readonly<Record<string, LockedPackage>>;
  readonly [member: string]: unknown;
}

interface Manifest {
  readonly name: string;
  readonly [member: string]: unknown;
}

export function readLock(): Lock {
  return JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as Lock;
}

/**
 * What is shipped, as a CycloneDX document of npm's own making. Asked about the checkout itself, `npm sbom --omit dev`
 * leaves out what is needed by a development package as well; so it is asked about a copy that has none of these.
 */
export function softwareBill(): string {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest;
  const lock = readLock();
  const shipped = Object.entries(lock.packages)
    .filter(([, { dev }]) => dev !== true)
    .map(([path, entry]) => [path, path === '' ? withoutDevelopment(entry) : entry]);
  const folder = mkdtempSync(join(tmpdir(), 'attribution-sbom-'));
  try {
    // npm names the document after the folder.
    const copy = join(folder, manifest.name);
    mkdirSync(copy);
    writeFileSync(join(copy, 'package.json'), JSON.stringify(withoutDevelopment(manifest)));
    writeFileSync(
      join(copy, 'package-lock.json'),
      JSON.stringify({ ...lock, packages: Object.fromEntries(shipped) }),
    );
    return execFileSync('npm', ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'], {
      cwd: copy,
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function withoutDevelopment<T extends Readonly<Record<string, unknown>>>(manifest: T): object {
  const { devDependencies: _, ...kept } = manifest;
  return kept;
}
