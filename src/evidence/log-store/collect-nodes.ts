import type { Batch } from '../../core/batch.ts';
import type { CoverageGroup, SourceCoverage } from '../../core/coverage.ts';
import { healthMarkers } from '../../lines/health/health-documents.ts';
import { nodeDirectory } from '../../lines/node-names.ts';
import { hostOf, undoubtedNames } from '../../lines/undoubted-names.ts';
import { coverageGroup } from '../coverage.ts';
import { merge } from '../merge.ts';
import { hoursOf } from './asked.ts';
import { countTexts, type LineCounts } from './count-lines.ts';
import { handOn, type Placing } from './hand-on.ts';
import { judgeNodes } from './judge-nodes.ts';
import type { Cursor, Selection, Trouble } from './log-store.ts';
import { readNodes } from './read-nodes.ts';
import { type OriginReading, wholeSelection } from './reading.ts';
import { groupsOf, noCounts, type OriginCounts, storeCoverage } from './store-coverage.ts';

/**
 * Reads the logs of nodes: who is known, how many lines each has, then the lines themselves of those who have any.
 * A node is `complete` only if it had lines and all that was asked of it was read.
 */
export async function* collectNodes<C extends Cursor>(
  reading: OriginReading<C>,
): AsyncGenerator<Batch, SourceCoverage, void> {
  const { parts, asked, signal } = reading;
  const counts = noCounts();
  const whole = wholeSelection(reading);
  const covered = (groups: readonly CoverageGroup[], selection: Selection = whole): SourceCoverage =>
    storeCoverage(parts.name, asked, parts.store.describe(selection), counts, groups);
  if (asked.nodes.length === 0) {
    // The whole cluster's log would show the faults of other jobs.
    return covered([coverageGroup('unknown', [], 'nobody told which nodes the job ran on')]);
  }
  const known = await findNames(reading, counts);
  if (!known.ok) return covered(groupsOf(new Map(asked.nodes.map(node => [node, known.trouble]))));
  const { names, clusterSize } = known;
  const [lines] = await Promise.all([
    countTexts(parts.store, whole, [...names.keys()], signal),
    checkRetention(reading, counts),
  ]);
  const toRead = [...names.keys()].filter(
    name => !lines.textless.has(name) && ((lines.byName.get(name) ?? 0) > 0 || lines.troubles.has(name)),
  );
  const filtered = { ...whole, cover: coverFor(reading, lines) };
  const selections = selectionsOf(reading, filtered, toRead, clusterSize, counts);
  const placing: Placing = name => {
    const node = name === null ? null : names.get(name);
    return node === undefined ? 'unasked' : { node };
  };
  const { closerNodes, unfilteredLines } = parts.settings;
  const closer = { nodes: closerNodes, lines: unfilteredLines };
  const endings = yield* merge(
    selections.map(selection =>
      handOn(
        reading,
        readNodes(reading, selection, wantedCounts(lines, toRead), closer, counts),
        placing,
        counts,
      ),
    ),
  );
  const results = endings.flatMap((ending, index) => {
    if (ending.kind === 'threw') throw ending.error;
    const selection = selections[index];
    return ending.kind === 'returned' && selection !== undefined ? [{ selection, handed: ending.value }] : [];
  });
  return covered(groupsOf(judgeNodes(asked.nodes, names, lines, results)), filtered);
}

/** Counts of the nodes that are asked for: others may not be looked at more closely. */
function wantedCounts({ byName }: LineCounts, names: readonly string[]): ReadonlyMap<string, number> {
  return new Map(names.flatMap(name => (byName.has(name) ? [[name, byName.get(name) ?? 0] as const] : [])));
}

type FoundNames =
  | {
      readonly ok: true;
      /** Node of the job by name in the store. */
      readonly names: ReadonlyMap<string, string>;
      readonly clusterSize: number;
    }
  | { readonly ok: false; readonly trouble: Trouble };

/** Which of the store's names are nodes that were asked for. */
async function findNames<C extends Cursor>(
  { parts, asked, plan, signal }: OriginReading<C>,
  counts: OriginCounts,
): Promise<FoundNames> {
  const { origin, window, nodes } = asked;
  const wanted = new Set(nodes);
  const directory = nodeDirectory(
    plan.nodes.length > 0 ? plan.nodes : nodes.map(name => ({ name, aliases: [] })),
  );
  const nodeOf = (name: string): string | null => {
    const match = directory.resolve(hostOf(name));
    return match.kind === 'one' && wanted.has(match.node) ? match.node : null;
  };
  const span = { from: window.from - hoursOf(parts.settings.knownHours), to: window.to };
  const told = await parts.store.knownNodes(origin, span, name => nodeOf(name) !== null, signal);
  if (!told.ok) return told;
  const names = new Map<string, string>();
  let ambiguous = 0;
  counts.remarks.push(...told.value.remarks);
  for (const name of told.value.names) {
    const node = nodeOf(name);
    if (node !== null) names.set(name, node);
    else if (directory.resolve(hostOf(name)).kind === 'ambiguous') ambiguous += 1;
  }
  if (ambiguous > 0) {
    counts.remarks.push(`${ambiguous} names in the store fit more than one node, and count for none`);
  }
  const undoubted = undoubtedNames(names, directory);
  const doubted = names.size - undoubted.size;
  if (doubted > 0) {
    counts.remarks.push(
      `${doubted} full names in the store may be of machines of another cluster, and count for none: set matchers that name the cluster, or name the nodes in full`,
    );
  }
  return { ok: true, names: undoubted, clusterSize: told.value.names.length };
}

/** Says so where the store shows nothing before the window: then it may not reach back to its start. */
async function checkRetention<C extends Cursor>(
  { parts, asked, signal }: OriginReading<C>,
  counts: OriginCounts,
): Promise<void> {
  const { knownHours } = parts.settings;
  if (knownHours === 0) return;
  const { from } = asked.window;
  const before = { from: from - hoursOf(knownHours), to: from };
  const told = await parts.store.hasLines(asked.origin, before, signal);
  if (!told.ok || told.value) return;
  counts.remarks.push(
    `the store shows no line in the ${knownHours} h before the window: retention or a look-back limit may cut its start`,
  );
}

/** No rule's keyword stands in a document. */
const documentCover = healthMarkers.map(marker => marker.toLowerCase());

/** Few lines are read whole, which also gives rules the lines around a hit. */
function coverFor<C extends Cursor>({ parts, asked, plan }: OriginReading<C>, lines: LineCounts) {
  const total = [...lines.byName.values()].reduce((sum, count) => sum + count, 0);
  const few = lines.troubles.size === 0 && total <= parts.settings.unfilteredLines;
  const cover = plan.cover[asked.origin];
  if (few || cover === undefined) return null;
  return asked.origin === 'health' ? [...cover, ...documentCover] : cover;
}

/** One query for all where most of the cluster is wanted, else as many as the names need. */
function selectionsOf<C extends Cursor>(
  { parts }: OriginReading<C>,
  selection: Selection,
  names: readonly string[],
  clusterSize: number,
  counts: OriginCounts,
): readonly Selection[] {
  if (names.length === 0) return [];
  const { nodeShare, mostQueries } = parts.settings;
  const groups = parts.store.groups(selection, names, 'read');
  if (groups.length === 1 || (groups.length <= mostQueries && names.length < nodeShare * clusterSize)) {
    return groups.map(nodes => ({ ...selection, nodes }));
  }
  counts.remarks.push(
    `nodes were chosen here: ${names.length} of ${clusterSize} known ones are too many to name`,
  );
  return [selection];
}
