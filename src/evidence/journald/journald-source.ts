import type { Batch } from '../../core/batch.ts';
import type { SourceCoverage } from '../../core/coverage.ts';
import type { Clock, CollectPlan, Source } from '../../core/ports.ts';
import type { Window } from '../../core/time.ts';
import { isSameHost } from '../../lines/host-names.ts';
import { nodeDirectory } from '../../lines/node-names.ts';
import { undoubtedNames } from '../../lines/undoubted-names.ts';
import { askedNodes, askedOrRecent } from '../asked.ts';
import type { BufferPool } from '../buffers.ts';
import { commandRunner, type RunCommand } from '../command/run-command.ts';
import { nothingProved } from '../coverage.ts';
import type { Trouble } from '../log-store/log-store.ts';
import { worse } from '../log-store/read-selection.ts';
import { groupsOf, type Verdict } from '../log-store/store-coverage.ts';
import { type GatheredStream, streamBatches } from '../log-store/stream-lines.ts';
import { examineJournals } from './examine.ts';
import { hostsOf, readJournal } from './journalctl.ts';
import type { JournaldSettings } from './settings.ts';

export interface JournaldTools {
  readonly clock: Clock;
  readonly buffers: BufferPool;
}

/** Kernel messages from the journal of this machine, or from journals of others, by `journalctl`. */
export function createJournaldSource(settings: JournaldSettings, tools: JournaldTools): Source {
  const run = commandRunner(settings.run, tools.clock);
  return {
    name: settings.name,
    origins: ['kernel'],
    collect: (plan, signal) => collectJournals(settings, tools, run, plan, signal),
    examine: (_wants, signal) => examineJournals(settings, tools.clock, run, signal),
  };
}

/** The worst of what went wrong with any journal, and what was read of each host. */
interface AllRead {
  readonly streams: readonly GatheredStream[];
  readonly known: ReadonlySet<string>;
  readonly trouble: Trouble | null;
  readonly bytes: number;
  readonly remarks: readonly string[];
}

async function* collectJournals(
  settings: JournaldSettings,
  tools: JournaldTools,
  run: RunCommand,
  plan: CollectPlan,
  signal: AbortSignal,
): AsyncGenerator<Batch, readonly SourceCoverage[], void> {
  const window = askedOrRecent(plan, 'kernel', settings.everythingHours, tools.clock);
  if (window === null) return [];
  const nodes = askedNodes(settings.name, plan);
  if (nodes.length === 0) {
    // Journals of a whole cluster would show the faults of other jobs.
    const reason = 'nobody told which nodes the job ran on';
    return nothingProved({ name: settings.name, origins: ['kernel'] }, plan, 'unknown', reason);
  }
  const read = await readAll(settings, window, run, signal);
  const hosts = [...read.known, ...read.streams.map(({ node }) => node)];
  const { nodeOf, doubted } = placing(settings, plan, new Set(nodes), hosts);
  const lines = new Map<string, number>();
  let streams = 0;
  for (const stream of read.streams) {
    const node = nodeOf(stream.node);
    if (node === null) continue;
    streams += 1;
    lines.set(node, (lines.get(node) ?? 0) + stream.lines.length);
    yield* streamBatches(stream, headerOf(settings, node, stream.node, window), tools.buffers);
  }
  const known = new Set([...read.known].flatMap(host => nodeOf(host) ?? []));
  const verdicts = new Map(
    nodes.map(node => [node, judge(lines.get(node) ?? 0, known.has(node), read.trouble)]),
  );
  return [
    {
      source: settings.name,
      origin: 'kernel',
      window,
      query: settings.journals.map(({ kind }) => kind).join(', '),
      filter: null,
      streams,
      lines: [...lines.values()].reduce((sum, count) => sum + count, 0),
      bytes: read.bytes,
      groups: groupsOf(verdicts),
      notYet: null,
      remarks: [
        ...read.remarks,
        ...(doubted === 0
          ? []
          : [
              `${doubted} full names of hosts may be of machines of another cluster, and count for none: name the nodes in full`,
            ]),
      ],
    },
  ];
}

async function readAll(
  settings: JournaldSettings,
  window: Window,
  run: RunCommand,
  signal: AbortSignal,
): Promise<AllRead> {
  const answers = await Promise.all(
    settings.journals.map(async journal => {
      const [hosts, read] = await Promise.all([
        hostsOf(settings, journal, run, signal),
        readJournal(settings, journal, window, run, signal),
      ]);
      return { hosts, read };
    }),
  );
  const known = new Set(answers.flatMap(({ hosts }) => (hosts.ok ? hosts.value : [])));
  const reads = answers.flatMap(({ read }) => (read.ok ? [read.value] : []));
  const troubles = answers.map(({ read }) => (read.ok ? read.value.trouble : read.trouble));
  const unnamed = reads.reduce((sum, read) => sum + read.unnamed, 0);
  const broken = reads.reduce((sum, read) => sum + read.broken, 0);
  return {
    streams: reads.flatMap(read => [...read.byHost.values()]),
    known,
    trouble: troubles.reduce<Trouble | null>(worse, null),
    bytes: reads.reduce((sum, read) => sum + read.bytes, 0),
    remarks: [
      ...(unnamed > 0 ? [`${unnamed} entries name no host`] : []),
      ...(broken > 0 ? [`${broken} lines of journalctl are no entries`] : []),
      ...(known.size === 0 && troubles.every(trouble => trouble === null) ? ['the journal is empty'] : []),
    ],
  };
}

function judge(lines: number, known: boolean, trouble: Trouble | null): Verdict {
  if (trouble !== null) return { status: trouble.status, reason: trouble.reason };
  if (lines > 0) return { status: 'complete', reason: null };
  return known
    ? { status: 'silent', reason: 'its journal has no kernel message in the window' }
    : { status: 'absent', reason: 'the journal holds no entry of it' };
}

/** Node of the job by host; a configured node owns everything. */
function placing(
  { node: owner }: JournaldSettings,
  plan: CollectPlan,
  wanted: ReadonlySet<string>,
  hosts: readonly (string | null)[],
): { readonly nodeOf: (host: string | null) => string | null; readonly doubted: number } {
  const directory = nodeDirectory(
    plan.nodes.length > 0 ? plan.nodes : [...wanted].map(name => ({ name, aliases: [] })),
  );
  const resolve = (host: string | null): string | null => {
    const match = directory.resolve(host ?? '');
    return match.kind === 'one' && wanted.has(match.node) ? match.node : null;
  };
  if (owner !== null) return { nodeOf: () => resolve(owner), doubted: 0 };
  const joined = new Map(
    hosts.flatMap(host => {
      const node = resolve(host);
      return host === null || node === null ? [] : [[host, node] as const];
    }),
  );
  const undoubted = undoubtedNames(joined, directory);
  return { nodeOf: host => undoubted.get(host ?? '') ?? null, doubted: joined.size - undoubted.size };
}

function headerOf({ name }: JournaldSettings, node: string, host: string | null, window: Window) {
  return {
    source: name,
    origin: 'kernel',
    format: 'journald',
    node,
    hostAlias: host === null || isSameHost(host, node) ? null : host,
    dating: { zone: 'UTC', zoneAssumed: false, year: null, bootNanos: null, near: window.to },
  } as const;
}
