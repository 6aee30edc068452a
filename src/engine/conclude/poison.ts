import type { Symptom } from '../../core/symptom.ts';
import { sameDevice } from '../explain/devices.ts';
import { nameOf, settle } from '../explain/verdict.ts';
import { isCounted } from './counted.ts';
import { accusing, type Step } from './judgement.ts';

const name = 'poison';

/** What a unit of a GPU tells when it read data that is marked as bad. */
const readPoison = 'gpu-contained-ecc';
/** What rules capture where the unit that found bad data holds data itself: it went bad there. */
const ownMemory = 'own_memory';
/** What shows that memory of the GPU itself failed, and by which codes beside. */
const ownFailure: ReadonlySet<string> = new Set([
  'gpu-uncorrectable-ecc',
  'gpu-row-remap-failed',
  'gpu-ecc-in-application',
]);
const ownRepair = 'xid-63';

/** What tells of poison on another node: a link that passed it on, memory that made it, others that read it. */
const poisoned: ReadonlySet<string> = new Set(['nvlink-poison', 'gpu-uncorrectable-ecc', readPoison]);
const poisonedRule = 'cuda/contained-error';

/**
 * A unit that read poisoned data says so, and not whose memory it came from: over NVLink it may be another node's.
 * Where that node tells of poison, too, only memory of its own that failed convicts a reader. This is told by what
 * the lines say and not by their order: clocks differ by more than poison takes.
 */
export const poison: Step = {
  name,
  run(judgement) {
    const { symptoms } = judgement;
    const readers = accusing(symptoms).filter(
      symptom => symptom.symptom === readPoison && !isOwn(symptom, symptoms),
    );
    return {
      ...judgement,
      symptoms: symptoms.map(symptom => {
        const source = readers.includes(symptom)
          ? symptoms.find(other => isPoisonElsewhere(other, symptom))
          : undefined;
        if (source === undefined) return symptom;
        return settle(symptom, 'unknown', name, `read poisoned data, as others did: ${nameOf(source)}`);
      }),
    };
  },
};

function isOwn(reader: Symptom, symptoms: readonly Symptom[]): boolean {
  if (reader.observations.some(({ captures }) => captures[ownMemory] !== undefined)) return true;
  return symptoms.some(
    other =>
      other.node === reader.node &&
      (ownFailure.has(other.symptom) || other.code === ownRepair) &&
      sameDevice(other.device, reader.device) !== 'no' &&
      (isCounted(other, [reader]) || other.reason?.kind === 'rule'),
  );
}

function isPoisonElsewhere(other: Symptom, reader: Symptom): boolean {
  if (other.node === null || other.node === reader.node) return false;
  return (poisoned.has(other.symptom) || other.rule === poisonedRule) && isCounted(other, [reader]);
}
