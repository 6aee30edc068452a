import type { Evidence } from '../../core/outcome.ts';
import type { Symptom } from '../../core/symptom.ts';
import type { InstantBasis } from '../../core/time.ts';
import { isPlacedByRank, placedBy } from '../explain/place-ranks.ts';
import { placementsOf } from '../explain/placements.ts';
import { note } from './evidence.ts';

const basisWords: Readonly<Record<InstantBasis, string | null>> = {
  stamped: null,
  zone_assumed: 'times are approximate: the lines carry no time zone',
  year_assumed: 'times are approximate: the lines carry no year',
  boot_anchored: "times are approximate: reckoned from the node's start",
  synthetic: 'times are approximate: about when the lines were collected; their order is sure',
  file_order: 'times are approximate: lines without a stamp are dated by the one before them',
};

/** What a reader of the evidence must know of it: how sure times and places are, and what was left out. */
export function notesOn(
  cited: readonly Symptom[],
  all: readonly Symptom[],
  node: string | null,
): readonly Evidence[] {
  const notes: string[] = [];
  const first = cited[0];
  if (first?.origin === 'job')
    notes.push("from job text: the job's own output says so, no log of the node itself");
  for (const symptom of cited) {
    if (isPlacedByRank(symptom) && symptom.origin === 'job' && symptom.node !== null) {
      notes.push(whereItRan(symptom, symptom.node, all));
      break;
    }
  }
  if (cited.every(symptom => symptom.observations.every(seen => seen.instant.nanos === null))) {
    notes.push("no line carries a time: the time told is that of the job's end or of the detection");
  }
  for (const basis of new Set(cited.map(symptom => symptom.first.basis))) {
    const words = basisWords[basis];
    if (words !== null) notes.push(words);
  }
  const folded = consequencesOf(cited, all);
  if (folded !== null) notes.push(folded);
  return notes.map(text => note(text, node));
}

/** A line that places the rank, or the task in whose output it stands, is told apart from a request for one node. */
function whereItRan(symptom: Symptom, node: string, all: readonly Symptom[]): string {
  const whose = symptom.rank === null ? 'the job' : `rank ${symptom.rank}`;
  return placedBy(symptom, placementsOf(all)) === null
    ? `no line says where ${whose} ran: ${node} is the one node asked about`
    : `${whose} ran on ${node} alone, as the lines that place it say`;
}

function consequencesOf(cited: readonly Symptom[], all: readonly Symptom[]): string | null {
  const followers = Map.groupBy(
    all.filter(symptom => symptom.role === 'cascade' && symptom.reason?.cause != null),
    symptom => symptom.reason?.cause ?? '',
  );
  const explained = new Set(cited.map(symptom => symptom.id));
  const found: Symptom[] = [];
  // The set grows while it is walked, so that consequences of consequences count too.
  for (const id of explained) {
    for (const follower of followers.get(id) ?? []) {
      if (explained.has(follower.id)) continue;
      explained.add(follower.id);
      found.push(follower);
    }
  }
  if (found.length === 0) return null;
  const lines = found.reduce((sum, symptom) => sum + symptom.count, 0);
  const nodes = new Set(found.flatMap(symptom => (symptom.node === null ? [] : [symptom.node]))).size;
  const least = found.some(symptom => symptom.countIsAtLeast) ? 'at least ' : '';
  const where = nodes === 0 ? '' : ` on ${nodes} node${nodes === 1 ? '' : 's'}`;
  return `${least}${lines} line${lines === 1 ? '' : 's'}${where} told as consequences are left out`;
}
