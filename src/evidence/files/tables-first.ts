import { detectTable } from '../../lines/formats/detect-format.ts';
import { linesOfHead, openText } from './open-text.ts';
import type { FilesSettings } from './settings.ts';
import type { EvidenceFile } from './survey.ts';

/**
 * Files of the scheduler before all others: they tell boot times, which date kernel logs. Among loose files they have
 * to be looked for, where loose files may count as the scheduler's at all.
 */
export async function tablesFirst(
  files: readonly EvidenceFile[],
  settings: FilesSettings,
  signal: AbortSignal,
): Promise<{ readonly tables: readonly EvidenceFile[]; readonly others: readonly EvidenceFile[] }> {
  const tables: EvidenceFile[] = [];
  const others: EvidenceFile[] = [];
  for (const file of files) {
    const early =
      file.place === 'scheduler' || (file.place === 'loose' && (await isLooseTable(file, settings, signal)));
    (early ? tables : others).push(file);
  }
  return { tables, others };
}

/** Whether a loose file begins as a table of the scheduler, and may count as one. */
export async function isLooseTable(
  file: EvidenceFile,
  settings: FilesSettings,
  signal: AbortSignal,
): Promise<boolean> {
  if (settings.trust === 'configured' || signal.aborted) return false;
  const text = await openText(file.found, settings, signal);
  if (text.kind !== 'text') return false;
  await text.reader.close();
  return detectTable(linesOfHead(text.head).find(line => line.trim() !== '') ?? '') !== null;
}
