import { type ProofLevel, proofLevels } from '../../src/engine/conclude/proof-level.ts';
import type { Reliability } from '../../src/engine/conclude/reliability.ts';
import type { Calibration } from './calibration.ts';
import { fitSeeds, measuredSeeds } from './fit.ts';
import { percent, table } from './report.ts';

/** What the page about confidence is made of. */
export interface ReliabilityFigures {
  readonly fitted: Readonly<Record<ProofLevel, Reliability>>;
  readonly measured: Calibration;
  readonly cases: Calibration;
}

/** The page that tells what each confidence means and how it was found. */
export function reliabilityPage({ fitted, measured, cases }: ReliabilityFigures): string {
  const levels = Object.keys(proofLevels) as ProofLevel[];
  const counted = (calibration: Calibration, level: ProofLevel): string => {
    const found = calibration.levels.find(one => one.level === level);
    return found === undefined ? '0 / 0' : `${found.right} / ${found.of}`;
  };
  return [
    '# Reliability',
    '',
    'Written by `make eval FIT=1` (several minutes); do not edit. The `confidence` of a finding that names a node is how often nodes',
    'named on the same level of proof were at fault, in incidents whose cause is known. It is no feeling of the engine.',
    '',
    '## Levels of proof',
    '',
    table(
      ['level', 'confidence', 'what proves the node'],
      levels.map(level => [level, fitted[level].confidence.toFixed(3), proofLevels[level]]),
    ),
    '',
    '`confidence` is null for the job as a whole, where several nodes are named at once, and where a device is named for what',
    'it did to earlier jobs: for these nothing was measured.',
    '',
    '## How they were found',
    '',
    table(
      ['level', 'confidence', 'right, fitted on', 'right, measured on other seeds', 'right, recorded cases'],
      levels.map(level => [
        level,
        fitted[level].confidence.toFixed(3),
        `${fitted[level].right} / ${fitted[level].of}`,
        counted(measured, level),
        counted(cases, level),
      ]),
    ),
    '',
    `- Fitted on the seeds ${seeds(fitSeeds)}:`,
    '  the lower end of the 95 % interval (one-sided, Wilson) of the share, so that few findings make no sure number. The',
    "  job's own text is capped at 0.9.",
    `- Measured on the seeds ${seeds(measuredSeeds)}: ${errorOf(measured)}; ${percent(measured.numbered)} of the named nodes carry a confidence.`,
    `- On the recorded cases of \`cases/\`: ${errorOf(cases)}; ${percent(cases.numbered)} carry one. These were kept because the`,
    '  right answer is known and demanded, so that the numbers are too low for them.',
    '- Made incidents are not your cluster: the numbers order findings by how well they are proven, and tell how often such',
    '  proof misleads where faults without a part in the failure are as frequent as there.',
    '',
  ].join('\n');
}

const seeds = (list: readonly string[]): string => list.map(seed => `\`${seed}\``).join(', ');

function errorOf({ expectedError }: Calibration): string {
  return `expected calibration error ${expectedError?.toFixed(3) ?? 'unknown'}`;
}
