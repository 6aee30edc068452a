import type { HistoryRow } from '../../core/history.ts';
import type { Device, Symptom } from '../../core/symptom.ts';
import type { ReasoningContext } from '../context.ts';
import { settle } from '../explain/verdict.ts';
import { changed, type Step } from './judgement.ts';

export const recurrenceName = 'recurrence';

/** One other workflow may share the program; two that do not know each other share only the device. */
const workflowsNeeded = 2;

/** Rules that read what GPUs report. */
const deviceFamilies: ReadonlySet<string> = new Set(['gpu', 'nvlink']);

/**
 * An error that a program makes as well as a broken device speaks for the device where unrelated jobs failed with such
 * errors on it before: then it counts as local to its node, and no more than that. Attempts of one workflow are one
 * witness, and an error that several devices of one failure showed is none.
 */
export const recurrence: Step = {
  name: recurrenceName,
  run(judgement, context) {
    if ((context.history ?? []).length === 0) return judgement;
    const lifted = judgement.symptoms.filter(
      symptom =>
        isAmbiguousOfDevice(symptom) &&
        isAlone(symptom, judgement.symptoms) &&
        workflowsOn(symptom, context).size >= workflowsNeeded,
    );
    return { ...judgement, symptoms: changed(judgement.symptoms, lifted, symptom => lift(symptom, context)) };
  },
};

/**
 * Rows of other workflows about the device of a symptom, one a workflow and one a job, the newest first: who asks and who
 * pushes may tell of one job under two workflows.
 */
export function witnesses({ node, device }: Symptom, context: ReasoningContext): readonly HistoryRow[] {
  const { workloadId, workloadContext } = context.request;
  const jobs = new Set([workloadId]);
  const workflows = new Set([workloadContext.workflowId]);
  return (context.history ?? []).filter(row => {
    if (row.strength === null || row.alike > 1 || !isSameDevice(row, node, device)) return false;
    if (jobs.has(row.workloadId) || workflows.has(row.workflowId)) return false;
    jobs.add(row.workloadId);
    workflows.add(row.workflowId);
    return true;
  });
}

function workflowsOn(symptom: Symptom, context: ReasoningContext): ReadonlySet<string> {
  return new Set(witnesses(symptom, context).map(row => row.workflowId));
}

/** A GPU is itself wherever it sits; an address is only one on its node. */
function isSameDevice(row: HistoryRow, node: string | null, device: Device | null): boolean {
  if (row.uuid !== null && device?.uuid != null) return row.uuid === device.uuid;
  return row.pci !== null && row.pci === device?.pci && row.node === node;
}

/** Only the kernel's own log, since anything else may repeat what is old or what a job made up. */
function isAmbiguousOfDevice({
  origin,
  strength,
  status,
  ruleRole,
  role,
  node,
  device,
  rule,
}: Symptom): boolean {
  return (
    origin === 'kernel' &&
    strength === 'S4' &&
    status === 'stable' &&
    ruleRole === 'root' &&
    (role === 'initiating' || role === 'unknown') &&
    node !== null &&
    (device?.uuid != null || device?.pci != null) &&
    deviceFamilies.has(rule.split('/', 1)[0] ?? '')
  );
}

function isAlone(symptom: Symptom, symptoms: readonly Symptom[]): boolean {
  return symptoms.every(
    other =>
      other.symptom !== symptom.symptom ||
      other.role === 'context' ||
      (other.node === symptom.node && other.device?.pci === symptom.device?.pci),
  );
}

function lift(symptom: Symptom, context: ReasoningContext): Symptom {
  const count = workflowsOn(symptom, context).size;
  const text = `seen on this device when jobs of ${count} other workflows failed`;
  const category = symptom.category === 'application_error' ? 'accelerator_gpu' : symptom.category;
  return settle({ ...symptom, strength: 'S3', blames: 'node', category }, 'initiating', recurrenceName, text);
}

/** Symptoms as their rules have them, with the roles that conclude settled on: what is kept is not what was lifted. */
export function asRead(symptoms: readonly Symptom[], read: readonly Symptom[]): readonly Symptom[] {
  const originals = new Map(read.map(symptom => [symptom.id, symptom]));
  return symptoms.map(symptom => {
    const original = originals.get(symptom.id);
    if (original === undefined) return symptom;
    const { strength, blames, category } = original;
    return { ...symptom, strength, blames, category };
  });
}
