import { readFile } from 'node:fs/promises';
import { diffOpenapi, openapiDocument, openapiText, type PlainJson } from '../contract/index.ts';
import { StartupError } from '../core/errors.ts';

/** Prints the checked-in document's text; nothing but the contract is loaded. */
export function exportOpenapi(): number {
  process.stdout.write(openapiText());
  return 0;
}

/** Names every difference to another Adapter's document; exit code 1 where one would break a caller built against it. */
export async function diffWithFile(file: string): Promise<number> {
  const differences = diffOpenapi(openapiDocument(), await readDocument(file));
  for (const { breaking, path, says } of differences) {
    process.stdout.write(`${breaking ? 'breaking' : 'harmless'}  ${path}  ${says}\n`);
  }
  const breaking = differences.filter(difference => difference.breaking).length;
  process.stdout.write(`${breaking} breaking, ${differences.length - breaking} harmless\n`);
  return breaking > 0 ? 1 : 0;
}

async function readDocument(file: string): Promise<PlainJson> {
  const text = await readFile(file, 'utf8').catch(error => {
    throw new StartupError(
      `cannot read ${file} (${(error as NodeJS.ErrnoException).code}): name the document exported from the other Adapter`,
    );
  });
  try {
    return JSON.parse(text) as PlainJson;
  } catch (error) {
    throw new StartupError(
      `${file} is not JSON: ${(error as Error).message}: export it from the Adapter again`,
    );
  }
}
