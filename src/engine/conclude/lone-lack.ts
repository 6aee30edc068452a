import type { Symptom } from '../../core/symptom.ts';
import type { ReasoningContext } from '../context.ts';
import { type Placements, placementsOf } from '../explain/placements.ts';
import { settle } from '../explain/verdict.ts';
import { accusing, changed, type Judgement, jobRoots, type Step } from './judgement.ts';
import { isMany } from './shared-cause.ts';

const name = 'lone-lack';

/** What a program needs of each node alike: a file, a module. The job's where its nodes lack it together. */
const needed: ReadonlySet<string> = new Set(['missing-file', 'missing-module']);

/** What each node is to be free of. A job may run two processes on a GPU itself, so that one rank's word is not enough. */
const leftOver = 'gpu-memory-foreign';

/** What a program found of a local disk: one rank may have filled it itself, or may stand alone with its own mount. */
const ofDisk: ReadonlySet<string> = new Set(['local-disk-full', 'local-disk-read-only']);

const fewestNodes = 3;
const fewestRanks = 2;

/**
 * What most ranks of one node miss, and no rank of any other, that node lacks: a mount, a copy of the image, a disk to
 * write to. They must miss one and the same thing that any rank might ask for (of a disk each has its own files), and
 * the ranks of other nodes must have been heard. One rank alone may be the only one that looks for a file or fills a
 * disk, and of two nodes either may be the odd one.
 */
export const loneLack: Step = {
  name,
  run(judgement, context) {
    const missed = jobRoots(judgement.symptoms).filter(symptom => needed.has(symptom.symptom));
    const enough = context.jobNodes.length >= fewestNodes;
    const isLack = enough && isOneThing(missed) && isLone(missed, judgement.symptoms, context);
    const blamed = isLack ? blame(judgement, missed) : judgement;
    const left = accusing(blamed.symptoms).filter(({ symptom }) => symptom === leftOver);
    const isLeft = isOneThing(left) && isLone(left, blamed.symptoms, context);
    const checked = isLeft ? blamed : spare(blamed, left, saidOfLeft);
    const disk = accusing(checked.symptoms).filter(isOfDisk);
    if (isMany(new Set(disk.map(({ node }) => node)).size, context) || isLone(disk, checked.symptoms, context))
      return checked;
    return spare(checked, disk, saidOfDisk);
  },
};

const saidOfLeft = 'left over from an earlier job, or a second process of this one: too few ranks tell';
const saidOfDisk = 'a disk of the node, or what this rank did with it: too few ranks tell, and nothing else';

const isOfDisk = ({ symptom, origin }: Symptom): boolean => ofDisk.has(symptom) && origin === 'job';

function blame(judgement: Judgement, missed: readonly Symptom[]): Judgement {
  const said = `most ranks of ${missed[0]?.node} miss it, and no other node does`;
  const accuse = (symptom: Symptom): Symptom =>
    settle({ ...symptom, blames: 'node', category: 'node_configuration' }, 'initiating', name, said);
  return { ...judgement, symptoms: changed(judgement.symptoms, missed, accuse) };
}

function spare(judgement: Judgement, left: readonly Symptom[], said: string): Judgement {
  const undecided = (symptom: Symptom): Symptom => settle(symptom, 'unknown', name, said);
  return { ...judgement, symptoms: changed(judgement.symptoms, left, undecided) };
}

function isLone(missed: readonly Symptom[], all: readonly Symptom[], context: ReasoningContext): boolean {
  const [node, ...others] = new Set(missed.map(symptom => symptom.node));
  if (node == null || others.length > 0) return false;
  const placements = placementsOf(all);
  const ranks = ranksOf(node, placements, context);
  if (ranks === 0 || speakersIn(missed) < Math.max(fewestRanks, ranks / 2)) return false;
  return all.some(symptom => isHeardElsewhere(symptom, node));
}

/** How many ranks ran on a node; 0 where nothing tells. */
function ranksOf(node: string, placements: Placements, { request, jobNodes }: ReasoningContext): number {
  const world = placements.worldSize ?? new Set(request.scope.ranks).size;
  return Math.max(
    placements.ranksOn(node).length,
    placements.tasksOn(node).length,
    Math.ceil(world / jobNodes.length),
  );
}

/** Ranks, or the tasks of a launcher that labels lines by them; of more lines than are kept, each is another's. */
function speakersIn(missed: readonly Symptom[]): number {
  const known = new Set<string>();
  let further = 0;
  for (const { observations, count } of missed) {
    const own = observations.flatMap(({ rank, captures }) => {
      const task = captures['task'];
      if (rank !== null) return [`rank ${rank}`];
      return task === undefined ? [] : [`task ${task}`];
    });
    for (const speaker of own) known.add(speaker);
    if (own.length > 1 && new Set(own).size === observations.length) further += count - observations.length;
  }
  return known.size + further;
}

/** One module, one path, one process; a path with numbers may be one rank's share of the data. */
function isOneThing(missed: readonly Symptom[]): boolean {
  const things = missed.flatMap(({ observations }) =>
    observations.map(({ captures }) => captures['path'] ?? captures['value'] ?? captures['pid'] ?? null),
  );
  const [thing] = things;
  if (thing == null || things.some(other => other !== thing)) return false;
  return !(thing.includes('/') && /\d/.test(thing.split('/').slice(-2).join('/')));
}

/** A rank of another node; what launchers say of it is not its own word. */
function isHeardElsewhere({ origin, node: other, rule, ruleRole }: Symptom, node: string): boolean {
  if (origin !== 'job' || other === null || other === node || rule.startsWith('slurm/')) return false;
  return ruleRole !== 'placement' || !rule.endsWith('/srun-task');
}
