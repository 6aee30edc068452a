import { basename } from 'node:path';
import type { AttributionRequest } from '../../contract/index.ts';
import type { StateRow } from '../../core/batch.ts';
import type { Located } from '../../core/ports.ts';
import { nodeDirectory } from '../../lines/node-names.ts';
import type { Classifier } from './classify.ts';
import { jobOfOutput } from './job-output.ts';
import { aliasesOf, type JobRecord, jobIn, jobsIn, withAliases } from './job-record.ts';
import { lastStamp } from './last-stamp.ts';
import { isByNode } from './layout.ts';
import { openText } from './open-text.ts';
import type { FilesSettings } from './settings.ts';
import { lineDating, streamDating } from './stream-dating.ts';
import { type EvidenceFile, type Survey, surveyRoots } from './survey.ts';
import { readTable } from './table-facts.ts';
import { tablesFirst } from './tables-first.ts';

const mostNamed = 3;

/** What the scheduler's tables, file names and the end of the job's text tell of a workload, before anything is read. */
export async function locateInFiles(
  settings: FilesSettings,
  classify: Classifier,
  request: AttributionRequest,
  signal: AbortSignal,
): Promise<Located | null> {
  const named = request.scope.nodes.map(name => ({ name, aliases: [] }));
  const survey = await surveyRoots(settings, request, named, signal);
  const { tables, others } = await tablesFirst(survey.files, settings, signal);
  const { rows, paths } = await readTables(tables, settings, classify, signal);
  // Of a table that was read in part nobody knows what it says of the job.
  const tablesWhole = !signal.aborted;
  const record = tablesWhole ? jobIn(rows, request.workloadId, settings.trust) : null;
  const aliases = aliasesOf(rows);
  const jobLastStamp = (record?.end ?? null) === null ? await lastStamp(others, settings, signal) : null;
  const job = settings.trust === 'command-line' ? (record?.id ?? jobByNames(survey)) : null;
  const times = { job, jobStart: record?.start ?? null, jobEnd: record?.end ?? null, jobLastStamp };
  const known = record !== null && record.nodes.length > 0 ? record.nodes : request.scope.nodes;
  if (known.length > 0) {
    const nodes = withAliases(known, aliases);
    const nodesFrom = 'scheduler';
    return { source: settings.name, nodes, nodesFrom, ...times, said: saidOf(record, paths, rows, settings) };
  }
  const found = await nodesOfFiles(survey, settings, classify, signal);
  const told = tablesWhole
    ? saidOf(record, paths, rows, settings)
    : 'the files could not be looked through in time for which nodes the job had, or when it ran';
  const byFiles = 'nodes are those that files are named after';
  const alsoTold = record !== null || isChoiceOpen(rows, settings) ? `; ${told}` : '';
  const said = found.length > 0 ? `${byFiles}${alsoTold}` : told;
  return { source: settings.name, nodes: withAliases(found, aliases), nodesFrom: 'evidence', ...times, said };
}

/** The one job that output is named after; null where names tell of none, or of several. */
function jobByNames({ files }: Survey): string | null {
  const output = files.filter(({ place }) => place === 'job');
  const [job, ...others] = new Set(
    output.flatMap(({ path }) => jobOfOutput(basename(path), output.length === 1) ?? []),
  );
  return job !== undefined && others.length === 0 ? job : null;
}

async function readTables(
  files: readonly EvidenceFile[],
  settings: FilesSettings,
  classify: Classifier,
  signal: AbortSignal,
): Promise<{ readonly rows: readonly StateRow[]; readonly paths: readonly string[] }> {
  const rows: StateRow[] = [];
  const paths: string[] = [];
  for (const file of files) {
    const text = await openText(file.found, settings, signal);
    if (text.kind !== 'text') continue;
    const dating = datingOf(file, settings);
    const { table } = await classify(file, text.head, dating, nodeDirectory([]), signal);
    if (table === null) {
      await text.reader.close();
      continue;
    }
    const facts = await readTable(text, table, lineDating(dating, file.path));
    rows.push(...facts.rows);
    paths.push(file.path);
  }
  return { rows, paths };
}

/** Names of by-node files, and of loose kernel logs that name no host themselves; none where time was up before the last. */
async function nodesOfFiles(
  survey: Survey,
  settings: FilesSettings,
  classify: Classifier,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const nodes = new Set<string>();
  for (const file of survey.files) {
    if (isByNode(file.place) && file.node !== null) nodes.add(file.node);
    if (file.place !== 'loose' || settings.trust === 'configured') continue;
    const text = await openText(file.found, settings, signal);
    if (text.kind !== 'text') continue;
    const kind = await classify(file, text.head, datingOf(file, settings), nodeDirectory([]), signal);
    await text.reader.close();
    if (kind.node !== null) nodes.add(kind.node);
  }
  return signal.aborted ? [] : [...nodes].sort();
}

function datingOf(file: EvidenceFile, settings: FilesSettings) {
  const { modified } = file.found;
  return streamDating({ timezone: settings.timezone, window: null, modified, jobEnd: null, bootNanos: null });
}

/** Whether a person who named no job of theirs has to choose among several. */
function isChoiceOpen(rows: readonly StateRow[], { trust }: FilesSettings): boolean {
  return trust === 'command-line' && jobsIn(rows).length > 1;
}

function saidOf(
  record: JobRecord | null,
  paths: readonly string[],
  rows: readonly StateRow[],
  settings: FilesSettings,
): string {
  const where = paths.slice(0, mostNamed).join(', ');
  if (record === null && isChoiceOpen(rows, settings)) {
    const jobs = jobsIn(rows);
    const shown = jobs.slice(0, mostNamed).join(', ');
    const more = jobs.length > mostNamed ? ` and ${jobs.length - mostNamed} more` : '';
    return `${where} tells of the jobs ${shown}${more}: say with --job which of them failed`;
  }
  if (record === null) return 'no file tells which nodes the job had, or when it ran';
  const told: string[] = [];
  if (record.nodes.length > 0) told.push('nodes');
  if (record.start !== null) told.push('start');
  if (record.end !== null) told.push('end');
  const last = told.pop();
  if (last === undefined) return `${where} knows job ${record.id}, but neither its nodes nor its times`;
  const list = told.length === 0 ? last : `${told.join(', ')} and ${last}`;
  return `${list} of job ${record.id}: from ${where}`;
}
