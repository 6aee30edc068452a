import type { Episode, ExplainedSymptom, HistoryRow } from '../core/history.ts';
import type { Finding } from '../core/outcome.ts';
import type { Session } from '../core/session.ts';
import type { Symptom } from '../core/symptom.ts';
import { deviceKey } from './row-key.ts';

/** More rows than a broad failure of a large job makes worth remembering. */
export const mostRows = 2_000;

/**
 * What is remembered of an episode: for each node and device the strongest symptom that nothing explained, also where
 * it named nobody, and each named node.
 */
export function episodeRows(
  episode: Episode,
  session: Pick<Session, 'moment' | 'symptoms'>,
  findings: readonly Finding[],
): readonly HistoryRow[] {
  const named = new Map(
    findings.flatMap(({ target, category }) =>
      target.type === 'Node' ? [[target.node, category] as const] : [],
    ),
  );
  const telling = session.symptoms.filter(isTelling);
  const alike = devicesBySymptom(telling);
  const strongest = new Map<string, HistoryRow>();
  for (const symptom of telling.toSorted(byStrength)) {
    const node = symptom.node ?? '';
    const row: HistoryRow = {
      ...episode,
      node,
      uuid: symptom.device?.uuid ?? null,
      pci: symptom.device?.pci ?? null,
      symptom: symptom.symptom,
      code: symptom.code,
      title: symptom.title,
      strength: symptom.strength,
      alike: alike.get(symptom.symptom)?.size ?? 1,
      finding: named.get(node) ?? null,
      at: session.moment,
    };
    const key = keyOf(row);
    if (!strongest.has(key)) strongest.set(key, row);
  }
  const rows = [...strongest.values()];
  const known = new Set(rows.map(({ node }) => node));
  const unseen = [...named]
    .filter(([node]) => !known.has(node))
    .map(
      ([node, finding]): HistoryRow => ({
        ...episode,
        ...nothingSeen,
        node,
        finding,
        at: session.moment,
      }),
    );
  return [...unseen, ...rows].slice(0, mostRows);
}

/** What an answer saw and does not remember, since something else explains it. */
export function explainedBy(
  rows: readonly HistoryRow[],
  { symptoms }: Pick<Session, 'symptoms'>,
): readonly ExplainedSymptom[] {
  const told = new Set(rows.map(row => textOf({ ...row, device: deviceKey(row) })));
  const explained = new Map<string, ExplainedSymptom>();
  for (const { node, symptom, device } of symptoms) {
    if (node === null) continue;
    const seen = { node, device: deviceOf(device), symptom };
    if (!told.has(textOf(seen))) explained.set(textOf(seen), seen);
  }
  return [...explained.values()];
}

/** Rows joined to those known of the same episode, as `HistoryStore.add` promises. */
export function addedTo(
  before: readonly HistoryRow[],
  rows: readonly HistoryRow[],
  explained: readonly ExplainedSymptom[],
): readonly HistoryRow[] {
  const gone = new Set(explained.map(textOf));
  const best = new Map(rows.map(row => [keyOf(row), row]));
  for (const row of before) {
    const now = best.get(keyOf(row));
    const isGone = gone.has(textOf({ ...row, device: deviceKey(row) }));
    if (!isGone && (now === undefined || weight(row) < weight(now))) best.set(keyOf(row), row);
  }
  return [...best.values()].slice(0, mostRows);
}

function textOf({ node, device, symptom }: ExplainedSymptom): string {
  return JSON.stringify([node, device, symptom]);
}

function deviceOf(device: Symptom['device']): string {
  return device === null ? '' : (device.uuid ?? device.pci ?? '');
}

function keyOf(row: HistoryRow): string {
  return JSON.stringify([row.node, deviceKey(row)]);
}

/** Less is more telling. */
function weight({ finding, strength }: HistoryRow): string {
  return `${finding === null ? 1 : 0} ${strength ?? 'S9'}`;
}

const nothingSeen = {
  uuid: null,
  pci: null,
  symptom: 'named',
  code: null,
  title: 'named',
  strength: null,
  alike: 1,
};

/** Roots that are local to a node and that neither the end nor another symptom explains. */
function isTelling({ node, role, ruleRole, strength }: Symptom): boolean {
  return (
    node !== null && ruleRole === 'root' && strength <= 'S4' && (role === 'initiating' || role === 'unknown')
  );
}

function byStrength(a: Symptom, b: Symptom): number {
  return a.strength < b.strength ? -1 : a.strength > b.strength ? 1 : a.id < b.id ? -1 : 1;
}

function devicesBySymptom(symptoms: readonly Symptom[]): ReadonlyMap<string, ReadonlySet<string>> {
  const devices = new Map<string, Set<string>>();
  for (const { symptom, node, device } of symptoms) {
    const key = JSON.stringify([node, device?.uuid ?? device?.pci ?? device?.index ?? null]);
    devices.set(symptom, (devices.get(symptom) ?? new Set()).add(key));
  }
  return devices;
}
