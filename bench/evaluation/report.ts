import type { TruthKind } from '../incidents/incident.ts';
import { barsOf, holds } from './bars.ts';
import type { Calibration } from './calibration.ts';
import type { Evaluation } from './evaluate-seed.ts';
import { type FamilyScore, type Judged, ratio, type Share } from './score.ts';

/** The page about one evaluation. Nothing in it depends on the machine or the hour. */
export function reportOf(evaluation: Evaluation): string {
  const { seed, judged, calibration, score } = evaluation;
  return [
    '# Evaluation',
    '',
    `Written by \`make eval\` (seed ${seed}); do not edit. It plays ${judged.length} failed jobs whose cause is known, lets the`,
    'product answer each from the files that are left, and compares. The incidents come from `bench/incidents`, which',
    'knows how such failures look and nothing of the rules. A shortfall against a bar fails the run.',
    '',
    '## Figures',
    '',
    table(
      ['figure', 'value', 'of', 'bar', ''],
      barsOf(evaluation).map(bar => [
        bar.name,
        percent(bar.share),
        `${bar.share.right} / ${bar.share.of}`,
        bar.least === null ? `at most ${bar.most}` : `at least ${bar.least}`,
        holds(bar) ? 'holds' : '**missed**',
      ]),
    ),
    '',
    `Where the kernel log of the faulty node is missing, ${percent(score.recallWithoutLog)} are named`,
    `(${score.recallWithoutLog.right} of ${score.recallWithoutLog.of}): then the scheduler, an exporter, the epilog or the rank's own error has to tell.`,
    `The category is right in ${percent(score.category)} of the right answers.`,
    '',
    '## Against engines that understand nothing',
    '',
    'They see every line with its true time and node, which no parser gives them.',
    '',
    table(
      ['engine', 'precision', 'recall', 'application blamed on a node', 'unknowable answered with nothing'],
      [{ name: '**this one**', score }, ...evaluation.naive].map(one => [
        one.name,
        percent(one.score.precision),
        percent(one.score.recall),
        percent(one.score.applicationBlamedOnNode),
        percent(one.score.abstained),
      ]),
    ),
    '',
    '## Families',
    '',
    ...(['node', 'job', 'shared', 'unknowable', 'ended'] as const).flatMap(kind => [
      `${titles[kind]}`,
      '',
      familyTable(score.families.filter(family => family.kind === kind)),
      '',
    ]),
    '## Confidence',
    '',
    calibrationText(calibration),
    '',
    '## What the incidents are made of',
    '',
    makeup(judged),
    '',
  ].join('\n');
}

const titles: Readonly<Record<TruthKind, string>> = {
  node: 'One node is at fault; *answered* is naming it.',
  job: 'The program, its input or its limits are at fault; *answered* is the whole job and no node.',
  shared: 'Many nodes share the fault; *answered* is naming none.',
  unknowable: 'Nothing that is left tells the cause; *answered* is nothing.',
  ended: 'Somebody wanted the end; *answered* is nothing.',
};

function familyTable(families: readonly FamilyScore[]): string {
  return table(
    ['family', 'incidents', 'answered', 'nodes named', 'of them wrong'],
    families.map(({ family, incidents, answered, precision }) => [
      family,
      String(incidents),
      percent(answered),
      String(precision.of),
      String(precision.of - precision.right),
    ]),
  );
}

function calibrationText(calibration: Calibration): string {
  const { numbered, levels, expectedError } = calibration;
  if (expectedError === null) return `No finding carries a confidence (${numbered.of} nodes were named).`;
  const rows = levels.map(level => [
    level.level,
    level.confidence.toFixed(3),
    String(level.of),
    percent(level),
  ]);
  return [
    `${numbered.right} of ${numbered.of} named nodes carry one (at least 70 %). The numbers were fitted on other seeds`,
    `([reliability](reliability.md)); here they are off by ${expectedError.toFixed(3)} on average (expected calibration error, at most 0.05).`,
    '',
    table(['level of proof', 'confidence', 'findings', 'right'], rows),
  ].join('\n');
}

const sizes = [
  ['2 to 16', 2, 16],
  ['17 to 64', 17, 64],
  ['65 to 1,024', 65, 1024],
  ['more', 1025, Number.POSITIVE_INFINITY],
] as const;

function makeup(judged: readonly Judged[]): string {
  const nodeFaults = judged.filter(({ truth }) => truth.kind === 'node');
  const share = (list: readonly Judged[], good: (one: Judged) => boolean): string =>
    percent({ right: list.filter(good).length, of: list.length });
  const bySize = sizes.map(
    ([name, from, to]) =>
      `${judged.filter(({ nodes }) => nodes >= from && nodes <= to).length} of ${name} nodes`,
  );
  return [
    `- Jobs: ${bySize.join(', ')}.`,
    `- ${share(judged, ({ truth }) => truth.decoys.length > 0)} hold a decoy on a node that is not at fault.`,
    `- In ${share(nodeFaults, ({ truth }) => truth.culpritLogMissing)} of the node faults the kernel log of that node is missing.`,
    `- ${judged.filter(({ truth }) => truth.hidden !== null).length} unknowable incidents had a faulty node of which no evidence is left; they count as unknowable.`,
    `- ${judged.filter(({ truth }) => truth.family === 'coincidence').length} of these show a real fault of another node that had no part in it, told by one source: whoever trusts it is wrong.`,
  ].join('\n');
}

export function percent(share: Share): string {
  const value = ratio(share);
  return value === null ? '–' : `${(value * 100).toFixed(1)} %`;
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
