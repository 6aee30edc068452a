import { existsSync } from 'node:fs';
import { openStores, stateFile } from '../app/stores.ts';
import { readAuditedAnswer } from '../contract/index.ts';
import type { AuditEntry } from '../core/audit.ts';
import { StartupError } from '../core/errors.ts';
import { createLog } from '../telemetry/log.ts';
import { systemClock } from '../telemetry/system-clock.ts';
import { auditedText } from './audited-text.ts';
import type { GlobalOptions } from './command.ts';
import { loadSettings } from './load-settings.ts';
import { packageVersion } from './package-version.ts';
import { styleFor } from './terminal.ts';

const usualLimit = 20;

/** Prints answers that were given, by request, session or workload; 1 where none is kept. */
export async function show(
  id: string,
  options: Readonly<Record<string, string>>,
  globals: GlobalOptions,
): Promise<number> {
  const form = options['output'] ?? 'table';
  if (form !== 'table' && form !== 'json') throw new StartupError(`-o ${form}: must be one of table, json`);
  const found = await keptAnswers(id, limitOf(options['limit']), options['state'], globals);
  if (found.length === 0) {
    process.stderr.write(
      'attribution-adapter: no answer is kept of a request, session or workload of that id\n',
    );
    return 1;
  }
  const style = styleFor(process.stdout, globals.color, process.env);
  for (const { body } of found) {
    const read = form === 'json' ? null : readAuditedAnswer(body);
    process.stdout.write(read === null ? `${body}\n` : auditedText(read, style, process.cwd()));
  }
  return 0;
}

async function keptAnswers(
  id: string,
  limit: number,
  state: string | undefined,
  globals: GlobalOptions,
): Promise<readonly AuditEntry[]> {
  const { settings } = loadSettings(globals, { state });
  if (settings.sessions.store === 'memory') {
    throw new StartupError('sessions.store is memory: answers are gone with the process that gave them');
  }
  const file = stateFile(settings);
  if (settings.sessions.store === 'sqlite' && !existsSync(file)) {
    throw new StartupError(
      `there is no state file ${file}: name its folder by --state or in the configuration`,
    );
  }
  const log = createLog({ level: 'error' });
  const stores = await openStores(settings, { clock: systemClock, log, packageVersion: packageVersion() });
  try {
    return await stores.audit.find(id, limit);
  } finally {
    await stores.close();
  }
}

function limitOf(text: string | undefined): number {
  if (text === undefined) return usualLimit;
  const limit = /^[0-9]{1,4}$/.test(text) ? Number(text) : 0;
  if (limit > 0) return limit;
  throw new StartupError(`--limit ${text}: write a whole number from 1 to 9999`);
}
