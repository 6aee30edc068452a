import type { Origin } from '../../core/batch.ts';
import type { CollectPlan } from '../../core/ports.ts';
import { minute } from '../../core/time.ts';
import { askedWindow } from '../coverage.ts';
import type { Asked } from './files-coverage.ts';
import { isByNode, type Place } from './layout.ts';
import type { FilesSettings } from './settings.ts';
import type { EvidenceFile, Survey } from './survey.ts';
import type { Tally } from './tally.ts';

/** Node-local and small first: a deadline that cuts the reading cuts the job's own text. */
const readingOrder: readonly Place[] = ['scheduler', 'kernel', 'health', 'exporter', 'loose', 'job'];
/** Clocks of file servers differ. */
const clockMargin = minute;

/** Origins and nodes that a plan asks of this source. */
export function askedOf(plan: CollectPlan, sourceName: string): readonly Asked[] {
  const nodes = plan.nodes.map(node => node.name);
  const epilog: readonly Asked[] =
    plan.everything || plan.epilogWindow !== null ? [{ origin: 'health', nodes }] : [];
  if (plan.only === null) return [...all(nodes), ...epilog];
  const needs = plan.only.filter(need => need.source === sourceName);
  if (needs.length === 0) return epilog;
  const named = new Set(needs.flatMap(need => need.nodes));
  if (needs.some(need => need.nodes.length === 0)) return [...all(nodes), ...epilog];
  const again = nodes.length === 0 ? [...named] : nodes.filter(node => named.has(node));
  if (again.length === 0) return epilog;
  const nodeLocal = (['kernel', 'scheduler', 'exporter'] as const).map(origin => ({ origin, nodes: again }));
  return [...nodeLocal, ...epilog];
}

function all(nodes: readonly string[]): readonly Asked[] {
  return (['kernel', 'scheduler', 'exporter', 'job'] as const).map(origin => ({ origin, nodes }));
}

/** The files to read, in reading order. What is passed over with a proof goes to the tally. */
export function chooseFiles(
  survey: Survey,
  asked: readonly Asked[],
  plan: CollectPlan,
  settings: FilesSettings,
  tally: Tally,
): readonly EvidenceFile[] {
  const others = new Map<Origin, number>();
  const unchanged = new Map<Origin, number>();
  const chosen = survey.files.filter(file => {
    const { place, node } = file;
    const origin = place === 'loose' ? 'job' : place;
    const ask = asked.find(entry => entry.origin === origin);
    if (ask === undefined) return false;
    if (isByNode(place) && node !== null && ask.nodes.length > 0 && !ask.nodes.includes(node)) {
      others.set(origin, (others.get(origin) ?? 0) + 1);
      return false;
    }
    if (!isUnchanged(file, origin, plan, settings)) return true;
    unchanged.set(origin, (unchanged.get(origin) ?? 0) + 1);
    if (isByNode(place)) {
      const reason = 'its file was last changed before the window';
      tally.add({ origin, node, status: 'silent', reason, lines: 0, bytes: 0, seen: [] });
    }
    return false;
  });
  for (const [origin, count] of others) tally.remark(origin, `not read: ${count} files of other nodes`);
  for (const [origin, count] of unchanged) {
    tally.remark(origin, `not read: ${count} files last changed before the window`);
  }
  return chosen.sort((a, b) => readingOrder.indexOf(a.place) - readingOrder.indexOf(b.place));
}

function isUnchanged(file: EvidenceFile, origin: Origin, plan: CollectPlan, settings: FilesSettings): boolean {
  const window = askedWindow(plan, origin);
  if (!settings.skipUnchanged || plan.everything || window === null) return false;
  return file.found.modified < window.from - clockMargin;
}
