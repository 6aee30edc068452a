import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { openCorpus, openEngine, reasoningOver } from '../../src/app/engine.ts';
import { readSettings } from '../../src/config/read-settings.ts';
import { type AttributionRequest, parseRequest } from '../../src/contract/index.ts';
import { createFilesSource } from '../../src/evidence/files/files-source.ts';
import { commandLineFilesSettings } from '../../src/evidence/files/settings.ts';
import { attributeFailure } from '../../src/providers/rules/attribute.ts';
import { systemClock } from '../../src/telemetry/system-clock.ts';
import { silentLog } from '../../tests/support/silent-log.ts';
import { type OutsideExpectation, readExpectation, UnreadableExpectation } from './outside-expectation.ts';

/** What came out of one folder. */
interface OutsideResult {
  readonly id: string;
  readonly expected: OutsideExpectation;
  readonly named: readonly string[];
  readonly wholeJob: boolean;
  /** What was thrown, or null. */
  readonly crash: string | null;
}

const leastPrecision = 0.98;

/**
 * Scores folders from outside: `<id>/evidence/` with `expected.json`, perhaps `request.json`. The form is described in
 * docs/reference/evaluation-cases.md. Returns what is below the bars, as sentences; says a line a folder.
 */
export async function scoreFolders(
  directory: string,
  say: (line: string) => void = console.log,
): Promise<readonly string[]> {
  if (!existsSync(directory)) return [`${directory} does not exist: give a folder of cases`];
  const ids = readdirSync(directory, { withFileTypes: true })
    .filter(entry => entry.isDirectory() && existsSync(join(directory, entry.name, 'evidence')))
    .map(entry => entry.name)
    .sort();
  if (ids.length === 0) return [`${directory} holds no folder with an evidence/ in it`];
  const answer = await openAnswering();
  const results: OutsideResult[] = [];
  try {
    for (const id of ids) results.push(await resultOf(id, join(directory, id), answer.answer));
  } catch (error) {
    if (error instanceof UnreadableExpectation) return [error.message];
    throw error;
  } finally {
    await answer.close();
  }
  for (const result of results) say(lineOf(result));
  return summary(results, say);
}

type Answering = (folder: string) => Promise<{ readonly named: readonly string[]; readonly wholeJob: boolean }>;

async function resultOf(id: string, folder: string, answer: Answering): Promise<OutsideResult> {
  const expected = readExpectation(join(folder, 'expected.json'));
  try {
    return { id, expected, ...(await answer(folder)), crash: null };
  } catch (error) {
    return {
      id,
      expected,
      named: [],
      wholeJob: false,
      crash: error instanceof Error ? error.message : String(error),
    };
  }
}

/** As `analyze` reads a folder: everything in it, with nodes and times as the evidence tells them. */
async function openAnswering(): Promise<{ readonly answer: Answering; close(): Promise<void> }> {
  const { settings } = readSettings({ file: null, environment: {}, flags: { 'rules.workers': 2 } });
  const engine = openEngine(settings, await openCorpus());
  return {
    async answer(folder) {
      const files = commandLineFilesSettings([resolve(folder, 'evidence')], null);
      const source = createFilesSource(files, { clock: systemClock, log: silentLog, buffers: engine.buffers });
      const parts = reasoningOver(settings, engine, [source], { log: silentLog });
      const now = systemClock.now();
      const { outcome } = await attributeFailure(
        parts,
        requestOf(folder, now),
        {
          windows: [],
          epilogWindow: { from: 0n, to: now },
          notYet: null,
          only: null,
          everything: true,
          moment: null,
        },
        { symptoms: [], coverage: [] },
        { soft: new AbortController().signal, report: () => {}, now },
      );
      return {
        named: outcome.findings.flatMap(({ target }) => (target.type === 'Node' ? [target.node] : [])),
        wholeJob: outcome.findings.some(({ target }) => target.type === 'AllJobResources'),
      };
    },
    close: () => engine.pool.close(),
  };
}

/** The request of the folder, or one that knows nothing. Throws where the folder's is not of the contract. */
function requestOf(folder: string, now: bigint): AttributionRequest {
  const path = join(folder, 'request.json');
  if (existsSync(path)) {
    const parsed = parseRequest(readFileSync(path), 'application/json', {
      naiveDatetimes: 'refuse',
      echoInput: false,
    });
    if (!parsed.ok) throw new Error(`${path} is not a request of the contract: ${parsed.body}`);
    return parsed.request;
  }
  return {
    schemaVersion: '0.1.0',
    workloadId: '',
    scope: { nodes: [], ranks: [], startTime: null, endTime: null },
    failureContext: { detectedAt: now, detectionSignal: 'crash' },
    timeoutMs: 600_000,
    workloadContext: { workflowId: 'outside', attemptIndex: 0, jobEndTime: null },
    phase: 'fast',
    continueSession: null,
    userId: '',
  };
}

function isWrongNode(node: string, { nodes, anyNode }: OutsideExpectation, named: readonly string[]): boolean {
  if (anyNode) return named.length > 1;
  return !nodes.includes(node);
}

function isAnswered({ expected, named, wholeJob }: OutsideResult): boolean {
  if (expected.anyNode) return named.length === 1;
  if (expected.nodes.length > 0) return expected.nodes.every(node => named.includes(node));
  return named.length === 0 && wholeJob === expected.wholeJob;
}

function lineOf(result: OutsideResult): string {
  const { id, expected, named, wholeJob, crash } = result;
  const said = [...named, ...(wholeJob ? ['the job'] : [])].join(', ');
  const wanted = expected.anyNode
    ? 'a node'
    : [...expected.nodes, ...(expected.wholeJob ? ['the job'] : [])].join(', ');
  if (crash !== null) return `${id}: crashed: ${crash}`;
  return `${id}: ${said === '' ? 'nothing' : said}${isAnswered(result) ? '' : ` (expected ${wanted === '' ? 'nothing' : wanted})`}`;
}

function summary(results: readonly OutsideResult[], say: (line: string) => void): readonly string[] {
  const all = results.flatMap(({ named, expected }) => named.map(node => isWrongNode(node, expected, named)));
  const wrong = all.filter(bad => bad).length;
  const crashed = results.filter(({ crash }) => crash !== null).length;
  const forbidden = results.filter(({ named, expected }) =>
    named.some(node => expected.mustNotName.includes(node)),
  );
  const answered = results.filter(isAnswered).length;
  say(`${results.length} folders, ${answered} answered as expected, ${crashed} crashed`);
  say(`${all.length} nodes named, ${wrong} of them wrong`);
  const precision = all.length === 0 ? 1 : 1 - wrong / all.length;
  return [
    ...(crashed > 0 ? [`${crashed} folders made it crash`] : []),
    ...(precision < leastPrecision
      ? [`precision is ${precision.toFixed(3)}, must be at least ${leastPrecision}`]
      : []),
    ...forbidden.map(({ id }) => `${id}: names a node that must not be named`),
  ];
}
