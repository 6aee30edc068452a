import { calibrationShortfalls } from './calibration.ts';
import type { Evaluation } from './evaluate-seed.ts';
import { namesCulprit, ratio, type Share } from './score.ts';

/** A figure with the least or the most it may be. */
export interface Bar {
  readonly name: string;
  readonly share: Share;
  readonly least: number | null;
  readonly most: number | null;
}

/** Node families with fewer incidents than this are shown and not judged. */
const judgedFrom = 10;
const familyRecall = 0.7;
/** Where a naive engine reaches this precision together with this recall, the incidents are too easy. */
const tooEasy = 0.6;

const least = (name: string, share: Share, bar: number): Bar => ({ name, share, least: bar, most: null });
const most = (name: string, share: Share, bar: number): Bar => ({ name, share, least: null, most: bar });

export function barsOf({ score, large, printed }: Evaluation): readonly Bar[] {
  const named = large.answer.named;
  const exactly = named.length === 1 && namesCulprit(large) ? 1 : 0;
  const convicted = printed.filter(({ answer }) => answer.named.length > 0).length;
  return [
    least('Named nodes that are at fault (precision)', score.precision, 0.98),
    least('Faulty nodes that are named (recall)', score.recall, 0.85),
    least('Application faults answered with the whole job', score.application, 0.85),
    most('Application faults blamed on a node', score.applicationBlamedOnNode, 0.01),
    least('Unknowable incidents answered with nothing', score.abstained, 0.9),
    least('Ends that somebody wanted, answered with nothing', score.ended, 0.9),
    least('Shared faults of more than 16 nodes that name none', score.sharedUnnamed, 1),
    least('One bad node of 1,024, named exactly', { right: exactly, of: 1 }, 1),
    most('Kernel-shaped lines in job text that convict a node', { right: convicted, of: printed.length }, 0),
  ];
}

export function holds({ share, least: low, most: high }: Bar): boolean {
  const value = ratio(share);
  if (value === null) return false;
  return (low === null || value >= low) && (high === null || value <= high);
}

/** What is below its bar, each as a sentence. */
export function shortfalls(evaluation: Evaluation): readonly string[] {
  const bars = barsOf(evaluation)
    .filter(bar => !holds(bar))
    .map(({ name, share, least: low, most: high }) => {
      const bar = low === null ? `at most ${high}` : `at least ${low}`;
      return `${name}: ${share.right} of ${share.of}, must be ${bar}`;
    });
  const families = evaluation.score.families
    .filter(({ kind, incidents }) => kind === 'node' && incidents >= judgedFrom)
    .filter(({ answered }) => (ratio(answered) ?? 0) < familyRecall)
    .map(
      ({ family, answered }) =>
        `Node family ${family}: ${answered.right} of ${answered.of} named, must be at least ${familyRecall}`,
    );
  const easy = evaluation.naive
    .filter(({ score }) => (ratio(score.precision) ?? 0) >= tooEasy && (ratio(score.recall) ?? 0) >= tooEasy)
    .map(({ name }) => `Too easy: "${name}" reaches precision and recall of ${tooEasy}`);
  return [...bars, ...families, ...calibrationShortfalls(evaluation.calibration), ...easy];
}
