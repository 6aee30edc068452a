import { access, constants, opendir, stat } from 'node:fs/promises';
import type { SourceCheck } from '../../core/ports.ts';
import { fail, pass, warn } from '../checks.ts';
import { errorCode } from './inside-root.ts';
import type { FilesSettings } from './settings.ts';

/** Whether every root is there and can be read. What lies below is chosen by each request. */
export async function examineRoots({ roots }: FilesSettings): Promise<readonly SourceCheck[]> {
  return Promise.all(roots.map(({ path }) => examineRoot(path)));
}

async function examineRoot(path: string): Promise<SourceCheck> {
  try {
    const found = await stat(path);
    if (!found.isDirectory()) {
      await access(path, constants.R_OK);
      return pass(`${path} can be read`);
    }
    const folder = await opendir(path);
    const first = await folder.read();
    await folder.close();
    return first === null
      ? warn(`${path} is empty`, 'check that logs are written, or mounted, there')
      : pass(`${path} can be read`);
  } catch (error) {
    return fail(`${path} cannot be read (${errorCode(error)})`, 'correct roots, or let this user read it');
  }
}
