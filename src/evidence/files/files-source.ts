import type { Batch } from '../../core/batch.ts';
import type { SourceCoverage } from '../../core/coverage.ts';
import type { CollectPlan, Source } from '../../core/ports.ts';
import { nodeDirectory } from '../../lines/node-names.ts';
import { merge } from '../merge.ts';
import { askedOf, chooseFiles } from './choose-files.ts';
import { type Classifier, createClassifier } from './classify.ts';
import { examineRoots } from './examine-roots.ts';
import { filesCoverage } from './files-coverage.ts';
import { lastStamp } from './last-stamp.ts';
import { locateInFiles } from './locate.ts';
import { readFile } from './read-file.ts';
import type { FilesTools, Reading } from './reading.ts';
import type { FilesSettings } from './settings.ts';
import { type EvidenceFile, surveyRoots } from './survey.ts';
import { tablesFirst } from './tables-first.ts';
import { createTally } from './tally.ts';

/** Evidence from files: laid out as `kernel/`, `job/`, `scheduler/`, `epilog/`, `metrics/`, by templates, or loose. */
export function createFilesSource(settings: FilesSettings, tools: FilesTools): Source {
  const classify = createClassifier(settings);
  return {
    name: settings.name,
    origins: ['kernel', 'scheduler', 'exporter', 'health', 'job'],
    locate: (request, signal) => locateInFiles(settings, classify, request, signal),
    collect: (plan, signal) => collectFiles(settings, tools, classify, plan, signal),
    examine: () => examineRoots(settings),
  };
}

async function* collectFiles(
  settings: FilesSettings,
  tools: FilesTools,
  classify: Classifier,
  plan: CollectPlan,
  signal: AbortSignal,
): AsyncGenerator<Batch, readonly SourceCoverage[], void> {
  const tally = createTally();
  const asked = askedOf(plan, settings.name);
  const survey = await surveyRoots(settings, plan.request, plan.nodes, signal);
  for (const { place, text } of survey.remarks) tally.remark(place === 'loose' ? 'job' : place, text);
  const reading: Reading = {
    settings,
    tools,
    classify,
    plan,
    signal,
    directory: nodeDirectory(plan.nodes),
    tally,
    scheduler: { rows: [], boots: new Map(), jobStart: null, jobEnd: null, jobLastStamp: null },
  };
  const chosen = chooseFiles(survey, asked, plan, settings, tally);
  const { tables, others } = await tablesFirst(chosen, settings, signal);
  yield* readInTurn([...tables], reading);
  const { scheduler } = reading;
  if (plan.everything && scheduler.jobEnd === null) {
    scheduler.jobLastStamp = await lastStamp(others, settings, signal);
  }
  const queue = [...others];
  const lanes = Array.from({ length: Math.min(settings.lanes, queue.length) }, () =>
    readInTurn(queue, reading),
  );
  const endings = yield* merge(lanes);
  const broken = endings.find(ending => ending.kind === 'threw');
  if (broken !== undefined) throw broken.error;
  const now = tools.clock.now();
  return asked.map(ask => filesCoverage(settings.name, ask, plan, survey, tally, now));
}

/** Takes file after file from a queue that it may share. */
async function* readInTurn(queue: EvidenceFile[], reading: Reading): AsyncGenerator<Batch, void, void> {
  for (let file = queue.shift(); file !== undefined; file = queue.shift()) yield* readFile(file, reading);
}
