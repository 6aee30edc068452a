import type { Symptom } from '../../core/symptom.ts';
import { settle } from '../explain/verdict.ts';
import { changed, jobRoots, type Step } from './judgement.ts';

const name = 'lone-lack';

/** What a program needs of each node alike: a file, a module. The job's where its nodes lack it together. */
const needed: ReadonlySet<string> = new Set(['missing-file', 'missing-module']);

const fewestNodes = 3;
const fewestRanks = 2;

/**
 * What several ranks of one node miss, and no rank of any other, that node lacks: a mount, a copy of the image. One
 * rank alone may be the only one that looks for a file, and of two nodes either may be the odd one.
 */
export const loneLack: Step = {
  name,
  run(judgement, context) {
    if (context.jobNodes.length < fewestNodes) return judgement;
    const missed = jobRoots(judgement.symptoms).filter(symptom => needed.has(symptom.symptom));
    const nodes = new Set(missed.map(symptom => symptom.node));
    const [node] = nodes;
    if (nodes.size !== 1 || node === null || node === undefined) return judgement;
    if (new Set(missed.flatMap(ranksOf)).size < fewestRanks) return judgement;
    const said = `several ranks of ${node} miss it, and no other node does`;
    const accuse = (symptom: Symptom): Symptom =>
      settle({ ...symptom, blames: 'node', category: 'node_configuration' }, 'initiating', name, said);
    return { ...judgement, symptoms: changed(judgement.symptoms, missed, accuse) };
  },
};

/** Ranks, or the tasks of a launcher that labels lines by them. */
function ranksOf({ observations }: Symptom): readonly string[] {
  return observations.flatMap(({ rank, captures }) => {
    const task = captures['task'];
    if (rank !== null) return [`rank ${rank}`];
    return task === undefined ? [] : [`task ${task}`];
  });
}
