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
    // A fault of a switch shows thousands of readers at once: only what may tell of one is held against it.
    const failures = Map.groupBy(symptoms.filter(isOwnFailure), ({ node }) => node);
    const sources = symptoms.filter(tellsOfPoison);
    const readers = new Set(
      accusing(symptoms).filter(
        symptom => symptom.symptom === readPoison && !isOwn(symptom, failures.get(symptom.node) ?? []),
      ),
    );
    return {
      ...judgement,
      symptoms: symptoms.map(symptom => {
        const source = readers.has(symptom)
          ? sources.find(other => other.node !== symptom.node && isCounted(other, [symptom]))
          : undefined;
        if (source === undefined) return symptom;
        return settle(symptom, 'unknown', name, `read poisoned data, as others did: ${nameOf(source)}`);
      }),
    };
  },
};

/** `failures`: those of its node. */
function isOwn(reader: Symptom, failures: readonly Symptom[]): boolean {
  if (reader.observations.some(({ captures }) => captures[ownMemory] !== undefined)) return true;
  return failures.some(
    other =>
      sameDevice(other.device, reader.device) !== 'no' &&
      (isCounted(other, [reader]) || other.reason?.kind === 'rule'),
  );
}

function isOwnFailure({ symptom, code }: Symptom): boolean {
  return ownFailure.has(symptom) || code === ownRepair;
}

function tellsOfPoison({ node, symptom, rule }: Symptom): boolean {
  return node !== null && (poisoned.has(symptom) || rule === poisonedRule);
}
