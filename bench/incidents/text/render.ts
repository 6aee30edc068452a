import type { Machine } from '../cluster.ts';
import type { Random } from '../random.ts';
import type { JobLine, KernelLine, Stage, Written } from '../stage.ts';
import { type KernelForm, kernelFormOf } from './kernel-forms.ts';
import { isoMicros } from './stamps.ts';

/** How text was handled on its way: lines twice, lines out of order. */
export interface Handling {
  readonly duplicated: boolean;
  readonly shuffled: boolean;
}

/** The files that a stage leaves. */
export function renderKernel(stage: Stage, handling: Handling): Map<string, string> {
  const random = stage.random.fork('kernel-form');
  const form = kernelFormOf(random, stage.needs, stage.machines.length);
  const files = new Map<string, KernelLine[]>();
  for (const machine of stage.machines) {
    const path = form.fileOf(machine.name);
    if (!stage.unreadable.has(machine)) files.set(path, files.get(path) ?? []);
  }
  for (const line of stage.kernelLines) {
    if (stage.unreadable.has(line.machine) || (form.kernelOnly && line.unit !== 'kernel')) continue;
    const silent = stage.silentFrom.get(line.machine);
    const boot = stage.boots.get(line.machine);
    if (silent !== undefined && line.at > silent && (boot === undefined || line.at < boot)) continue;
    files.get(form.fileOf(line.machine.name))?.push(line);
  }
  const texts = new Map<string, string>();
  for (const [path, lines] of files) texts.set(path, kernelText(stage, form, lines, handling, random));
  return texts;
}

function kernelText(
  stage: Stage,
  form: KernelForm,
  lines: readonly KernelLine[],
  handling: Handling,
  random: Random,
): string {
  const written = inOrder(lines).map(line => {
    const at = line.at + line.machine.skewMs;
    return form.line(line, at, bootOf(stage, line.machine, line.at) + line.machine.skewMs);
  });
  return textOf(handled(written, handling, random));
}

function bootOf(stage: Stage, machine: Machine, at: number): number {
  const boot = stage.boots.get(machine);
  return boot !== undefined && boot <= at ? boot : machine.bootAt;
}

/** How the job's text names who wrote a line. */
type Label = (stage: Stage, line: JobLine) => string;

const labels: Readonly<Record<string, Label>> = {
  srun: (stage, { rank }) =>
    rank === null ? '' : `${String(rank).padStart(String(stage.job.world - 1).length)}: `,
  plainSrun: (_stage, { rank }) => (rank === null ? '' : `${rank}: `),
  rank: (_stage, { rank, text }) => (rank === null || text.startsWith('[rank') ? '' : `[rank${rank}]: `),
  torchrun: (stage, { rank }) => (rank === null ? '' : `[default${stage.place(rank).gpu.index}]: `),
  none: () => '',
};

/** The job's text: one file, or one a node. */
export function renderJob(stage: Stage, handling: Handling): Map<string, string> {
  const random = stage.random.fork('job-form');
  const byTask = ['srun', 'plainSrun'];
  const telling = stage.needs.collectives ? [...byTask, 'plainSrun', 'rank'] : byTask;
  const label = labels[random.pick(stage.needs.places ? telling : [...telling, 'torchrun', 'none'])];
  const perNode = stage.machines.length <= 16 && random.chance(0.1);
  const single = random.pick(['train.out', `slurm-${stage.job.id}.out`, 'stdout.log', `${stage.job.name}.log`]);
  const files = new Map<string, string[]>();
  for (const line of inOrder(stage.jobLines)) {
    const place = line.rank === null ? null : stage.place(line.rank).machine.index;
    const path = perNode ? `job/log_${stage.job.id}_${place ?? 0}.out` : `job/${single}`;
    const lines = files.get(path) ?? [];
    lines.push(`${label?.(stage, line) ?? ''}${line.text}`);
    files.set(path, lines);
  }
  return new Map([...files].map(([path, lines]) => [path, textOf(handled(lines, handling, random))]));
}

/** The log of the scheduler's controller. */
export function renderDaemon(stage: Stage): string {
  return textOf(inOrder(stage.daemonLines).map(line => `[${isoMicros(line.at).slice(0, -3)}] ${line.text}`));
}

/** What the epilog of each node wrote. */
export function renderEpilog(stage: Stage): Map<string, string> {
  const files = new Map<string, string[]>();
  for (const line of inOrder(stage.epilogLines)) {
    const path = `epilog/${line.machine.name}.log`;
    const lines = files.get(path) ?? [];
    const pid = 7200 + (line.machine.index % 1000);
    lines.push(
      `${isoMicros(line.at).slice(0, 19)}+00:00 ${line.machine.name} ${line.unit}[${pid}]: ${line.text}`,
    );
    files.set(path, lines);
  }
  return new Map([...files].map(([path, lines]) => [path, textOf(lines)]));
}

/** Answers of `query_range`, one file a metric, a point a minute over the last half hour. */
export function renderMetrics(stage: Stage, to: number): Map<string, string> {
  const byMetric = Map.groupBy(stage.series, series => series.metric);
  const first = Math.floor((to - 30 * 60_000) / 60_000) * 60;
  return new Map(
    [...byMetric].map(([metric, all]) => {
      const result = all.map(series => ({
        metric: { __name__: metric, Hostname: series.machine.name, ...series.labels },
        values: Array.from({ length: 31 }, (_, index) => {
          const stamp = first + index * 60;
          return [stamp, String(series.valueAt(stamp * 1000))];
        }),
      }));
      return [
        `metrics/${metric.toLowerCase()}.json`,
        JSON.stringify({ status: 'success', data: { resultType: 'matrix', result } }),
      ];
    }),
  );
}

function inOrder<T extends Written>(lines: readonly T[]): readonly T[] {
  return [...lines].sort((a, b) => a.at - b.at || a.order - b.order);
}

/** Doubles a share of the lines, or swaps neighbours, as relays do. */
function handled(lines: readonly string[], handling: Handling, random: Random): readonly string[] {
  const doubled = handling.duplicated
    ? lines.flatMap(line => (random.chance(0.3) ? [line, line] : [line]))
    : [...lines];
  if (!handling.shuffled) return doubled;
  return doubled
    .map((line, index) => ({ line, place: index + random.next() * 4 }))
    .sort((a, b) => a.place - b.place)
    .map(({ line }) => line);
}

function textOf(lines: readonly string[]): string {
  return lines.length === 0 ? '' : `${lines.join('\n')}\n`;
}
