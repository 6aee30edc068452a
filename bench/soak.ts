import { parseArgs } from 'node:util';
import { percentile } from './large-requests/measure-request.ts';
import type { Pace } from './load/drive.ts';
import { runSoak } from './load/run-soak.ts';

/**
 * `make soak`: callers ask a service over SQLite, fast and slow, for so many minutes: at half of the highest rate that
 * meets no overload, which is looked for first, or at the rate given. `--minutes N` (60), `--callers N` (100), `--rate N`,
 * `--pace even` (as load programs do) or `random`, where queueing alone makes p99 more than three times p50.
 * Fails where an answer is wrong or of another's session, where a call fails in another way than by a documented refusal,
 * where resident memory grows by 5 % after the warm-up, a descriptor leaks, or p99 exceeds three times p50.
 */
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    callers: { type: 'string', default: '100' },
    rate: { type: 'string' },
    pace: { type: 'string', default: 'even' },
  },
});
const mostGrowth = 0.05;
const mostSpread = 3;

const report = await runSoak({
  callers: Number(values.callers),
  minutes: Number(values.minutes),
  rate: values.rate === undefined ? null : Number(values.rate),
  pace: paceOf(values.pace),
  // A minute of warm-up belongs to ten of load.
  warmUpSeconds: Math.min(60, Number(values.minutes) * 6),
  tell: line => console.log(line),
});
const { steady, held, descriptors, growth, aliveMs } = report;
const [p50, p99, longest] = [0.5, 0.99, 1].map(share => percentile(steady.milliseconds, share));
const spread = (p99 ?? Number.NaN) / (p50 ?? Number.NaN);
const resident = held.map(({ residentMib }) => residentMib);
if (report.highestRate !== null)
  console.log(`highest rate without overload: ${report.highestRate.toFixed(0)} a second`);
console.log(
  `${values.callers} callers at ${report.rate.toFixed(1)} a second (${values.pace}) for ${values.minutes} minutes: ` +
    `${steady.milliseconds.length} answers, ${steady.overloads} refused, ${steady.late} waited for a caller`,
);
console.log(`an answer: p50 ${ms(p50)}, p99 ${ms(p99)} (${spread.toFixed(1)} times), longest ${ms(longest)}`);
console.log(
  `a sign of life: p50 ${ms(percentile(aliveMs, 0.5))}, p99 ${ms(percentile(aliveMs, 0.99))}, longest ${ms(aliveMs.at(-1))}`,
);
console.log(
  `resident memory: ${Math.min(...resident).toFixed(0)} to ${Math.max(...resident).toFixed(0)} MiB, ` +
    `last fifth over first ${(growth * 100).toFixed(1)} %`,
);
console.log(
  `descriptors: ${descriptors.before} before the callers came, ${descriptors.after} after they had gone`,
);
console.log(
  `in all: ${report.wrong.length} wrong, ${report.failed.length} failed, ${report.overloads} refused with 503`,
);
for (const line of [...report.wrong, ...report.failed].slice(0, 10)) console.log(`  ${line}`);
const missed = [
  ...(report.wrong.length + report.failed.length > 0 ? ['answers'] : []),
  ...(growth > mostGrowth ? ['memory'] : []),
  ...(descriptors.after > descriptors.before ? ['descriptors'] : []),
  ...(spread > mostSpread ? ['p99'] : []),
  ...(report.exitCode === 0 ? [] : ['the end of the service']),
];
console.log(missed.length === 0 ? 'all borne' : `missed: ${missed.join(', ')}`);
if (missed.length > 0) process.exitCode = 1;

function ms(milliseconds: number | undefined): string {
  return `${(milliseconds ?? Number.NaN).toFixed(1)} ms`;
}

function paceOf(text: string): Pace {
  if (text === 'even' || text === 'random') return text;
  throw new Error(`--pace ${text}: even or random`);
}
