import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { incidentsOf } from '../incidents/generate.ts';
import type { Incident } from '../incidents/incident.ts';

/** Writes files by their paths below a folder. */
export async function writeFiles(root: string, files: ReadonlyMap<string, string>): Promise<void> {
  const folders = new Set([root, ...[...files.keys()].map(path => dirname(join(root, path)))]);
  for (const folder of folders) await mkdir(folder, { recursive: true });
  const entries = [...files];
  for (let from = 0; from < entries.length; from += 64) {
    await Promise.all(entries.slice(from, from + 64).map(([path, text]) => writeFile(join(root, path), text)));
  }
}

/** Writes an incident as a recorded case, for `attribution-adapter replay`. Returns what is wrong with its name. */
export async function writeCase(id: string, folder: string): Promise<readonly string[]> {
  const seed = id.slice(0, id.lastIndexOf('-'));
  const incident = incidentsOf(seed).find(one => one.id === id);
  if (incident === undefined) return [`no incident is called ${id}: write SEED-NUMBER, as --wrong shows it`];
  const { truth, request, slow } = incident;
  const about = `title: ${truth.kind} ${truth.family}\nnow: '${incident.now}'\n`;
  await writeFiles(join(folder, 'evidence'), incident.files);
  const texts = new Map([
    ['case.yaml', about],
    ['request.json', JSON.stringify(request, null, 2)],
    ['expected.json', expectedText(incident, slow === null || !truth.provenLate)],
  ]);
  if (slow !== null) {
    texts.set('slow/request.json', JSON.stringify(slow.request, null, 2));
    texts.set('slow/expected.json', expectedText(incident, true));
    await writeFiles(join(folder, 'slow/evidence'), slow.files);
  }
  await writeFiles(folder, texts);
  console.log(`${folder}: ${truth.kind} ${truth.family} ${truth.node ?? ''}`);
  return [];
}

function expectedText({ truth }: Incident, proven: boolean): string {
  const node = truth.kind === 'node' && proven ? [{ type: 'Node', node: truth.node }] : [];
  return JSON.stringify({
    targets: truth.kind === 'job' ? [{ type: 'AllJobResources' }] : node,
    categories: node.length + (truth.kind === 'job' ? 1 : 0) > 0 ? truth.categories.slice(0, 1) : [],
    error: null,
    must_not_name: truth.decoys.map(({ node: name, what }) => ({ node: name, because: what })),
  });
}
