import type { Machine } from './cluster.ts';
import { placeDecoy, plannedReboot } from './decoys.ts';
import type { NodeFault, Spot } from './faults/fault.ts';
import { gather } from './gather.ts';
import type { Incident, Truth } from './incident.ts';
import { placeLateDecoy } from './late-decoys.ts';
import { sayLauncher } from './launchers.ts';
import { makeDaemonNoise } from './noise/daemon-noise.ts';
import { printStart, printSteps } from './noise/job-noise.ts';
import { makeKernelNoise } from './noise/kernel-noise.ts';
import { type Planned, planOf, type Shares, type Subject, usualShares } from './plan.ts';
import { type Random, randomOf } from './random.ts';
import { minute, type Stage, stageOf } from './stage.ts';
import { tearDown } from './teardown.ts';
import { sufferFrom } from './victims.ts';

/** All incidents of a seed, or every `of`-th from `part` on, made one at a time as they are asked for. */
export function* incidentsOf(
  seed: string,
  shares: Shares = usualShares,
  { part, of }: { readonly part: number; readonly of: number } = { part: 0, of: 1 },
): Generator<Incident> {
  const plan = planOf(randomOf(`${seed}/plan`), shares);
  for (const [index, planned] of plan.entries()) {
    if (index % of !== part) continue;
    yield incidentOf(randomOf(`${seed}/${index}`), `${seed}-${String(index).padStart(4, '0')}`, planned);
  }
}

/** One incident: the job starts, trains, something happens, others suffer, and what is left is gathered. */
export function incidentOf(random: Random, id: string, { subject, nodes }: Planned): Incident {
  const stage = stageOf(random, { nodes });
  const at =
    stage.job.start + (startsWrong(subject) ? random.between(0.7, 4) : random.between(9, 240)) * minute;
  stage.needs.collectives = !startsWrong(subject);
  const outcome = play(stage, subject, at);
  const { culprit } = outcome;
  if (random.chance(0.4)) placeDecoy(stage, culprit, at);
  if (culprit !== null && random.chance(0.06)) plannedReboot(stage, culprit, at);
  sayLauncher(stage, outcome.endAt - 200);
  tearDown(stage, {
    at: outcome.endAt,
    state: outcome.state,
    exit: outcome.exit,
    taskWord: random.pick(['Killed', 'Terminated', 'Aborted (core dumped)', 'Exited with exit code 1']),
    gone: outcome.gone,
    allCleanUp: false,
  });
  const end = stage.end?.at ?? outcome.endAt;
  if (random.chance(0.35)) placeLateDecoy(stage, culprit, end);
  printStart(stage);
  printSteps(stage, outcome.stepsUntil);
  makeKernelNoise(stage, Math.max(at - 30 * minute, stage.job.start - 20 * minute), end + 3 * minute);
  makeDaemonNoise(stage, at - 30 * minute, end + 3 * minute);
  for (const machine of stage.machines) {
    if (machine !== culprit && random.chance(0.06)) stage.unreadable.add(machine);
  }
  return gather(stage, id, end, truthOf(stage, subject, outcome));
}

/** What is wrong from the start fails before the first step. */
function startsWrong({ fault }: Subject): boolean {
  return 'atStart' in fault && fault.atStart === true;
}

interface Outcome {
  readonly culprit: Machine | null;
  readonly hidden: string | null;
  readonly endAt: number;
  readonly stepsUntil: number;
  readonly state: string;
  readonly exit: string;
  readonly gone: readonly Machine[];
  readonly provenLate: boolean;
}

function play(stage: Stage, subject: Subject, at: number): Outcome {
  const base = { culprit: null, hidden: null, stepsUntil: at, exit: '1:0', gone: [], provenLate: false };
  if (subject.kind === 'node') return playNodeFault(stage, subject.fault, at);
  if (subject.kind === 'job') {
    const { fault } = subject;
    const felt = fault.play(stage, at);
    return {
      ...base,
      endAt: sufferFrom(stage, felt),
      state: fault.state ?? 'FAILED',
      exit: fault.exit ?? '1:0',
    };
  }
  if (subject.kind === 'shared') {
    const { endAt, state } = subject.fault.play(stage, at);
    return { ...base, endAt, state };
  }
  const { endAt, hidden, state } = subject.fault.play(stage, at);
  return { ...base, endAt, hidden, state, exit: state === 'FAILED' ? '6:0' : '0:15' };
}

/** In three of ten the node's own kernel log is lost; then something else must tell. */
function playNodeFault(stage: Stage, fault: NodeFault, at: number): Outcome {
  const { random } = stage;
  const machine = random.pick(stage.machines);
  const gpu = random.pick(machine.gpus);
  const spot: Spot = { stage, machine, gpu, rank: machine.firstRank + gpu.index, at };
  const felt = fault.play(spot);
  const lost = fault.proofs.length > 0 && random.chance(0.34);
  if (lost) stage.unreadable.add(machine);
  const needed = lost || !fault.inKernelLog;
  const proofs = needed ? [random.pick(fault.proofs)] : random.chance(0.25) ? random.some(fault.proofs, 1) : [];
  const [endsAfter] = proofs.flatMap(proof => proof.endsJobAfter?.(spot) ?? []);
  const endAt = sufferFrom(stage, felt, endsAfter === undefined ? null : at + endsAfter);
  for (const proof of proofs) proof.leave(spot, endAt);
  const gone = felt.how === 'gone' ? [machine] : [];
  const provenLate = needed && proofs.every(proof => proof.late);
  const state =
    felt.how === 'gone' && stage.nodeStates.get(machine)?.state.startsWith('DOWN') ? 'NODE_FAIL' : 'FAILED';
  const exit = state === 'NODE_FAIL' ? '0:0' : random.pick(['1:0', '6:0', '137:0']);
  return { culprit: machine, hidden: null, endAt, stepsUntil: at, state, exit, gone, provenLate };
}

function truthOf(stage: Stage, subject: Subject, outcome: Outcome): Truth {
  const { culprit, hidden, provenLate } = outcome;
  return {
    kind: subject.kind,
    node: culprit?.name ?? null,
    hidden,
    family: subject.fault.family,
    categories: 'categories' in subject.fault ? subject.fault.categories : [],
    decoys: stage.decoys,
    culpritLogMissing: culprit !== null && stage.unreadable.has(culprit),
    provenLate,
  };
}
