import { reopenPushed } from '../adapter/reopen-pushed.ts';
import { readAuditedAnswer } from '../contract/index.ts';
import { StartupError } from '../core/errors.ts';
import { type PushedPlace, readPushedPath } from '../core/pushed.ts';
import { createRedactor } from '../redaction/redactor.ts';
import { auditedText } from './audited-text.ts';
import type { GlobalOptions } from './command.ts';
import { styleFor } from './terminal.ts';
import { withStores } from './with-stores.ts';

const usualLimit = 20;

/** Prints answers that were given, by request, session or workload, or a pushed line by its reference; 1 where none is kept. */
export async function show(
  id: string,
  options: Readonly<Record<string, string>>,
  globals: GlobalOptions,
): Promise<number> {
  const form = options['output'] ?? 'table';
  if (form !== 'table' && form !== 'json') throw new StartupError(`-o ${form}: must be one of table, json`);
  const reference = readReference(id);
  if (reference !== null) return showLine(reference, options['state'], globals);
  const limit = limitOf(options['limit']);
  const found = await withStores(options['state'], globals, ({ audit }) => audit.find(id, limit));
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

interface LineReference extends PushedPlace {
  readonly line: number;
}

/** `pushed/SESSION/OBSERVATION:LINE`, as evidence quotes it. */
function readReference(id: string): LineReference | null {
  const colon = id.lastIndexOf(':');
  const place = colon < 0 ? null : readPushedPath(id.slice(0, colon));
  const line = Number(id.slice(colon + 1));
  return place !== null && Number.isSafeInteger(line) ? { ...place, line } : null;
}

async function showLine(
  { line, ...place }: LineReference,
  state: string | undefined,
  globals: GlobalOptions,
): Promise<number> {
  const { text, redact } = await withStores(state, globals, async ({ records }, settings) => ({
    text: (await reopenPushed(records, place))?.[line - 1],
    redact: createRedactor(settings.redaction),
  }));
  if (text === undefined) {
    process.stderr.write(
      'attribution-adapter: that line is not kept: only observations that evidence cites are, with their session\n',
    );
    return 1;
  }
  process.stdout.write(`${redact(text)}\n`);
  return 0;
}

function limitOf(text: string | undefined): number {
  if (text === undefined) return usualLimit;
  const limit = /^[0-9]{1,4}$/.test(text) ? Number(text) : 0;
  if (limit > 0) return limit;
  throw new StartupError(`--limit ${text}: write a whole number from 1 to 9999`);
}
