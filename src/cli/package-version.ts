import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Version of the package, read from the package.json that ships with it. */
export function packageVersion(): string {
  const path = join(import.meta.dirname, '../..', 'package.json');
  return (JSON.parse(readFileSync(path, 'utf8')) as { version: string }).version;
}
