import type { SourceCheck } from '../core/ports.ts';
import type { Style } from './terminal.ts';

export interface Examined {
  readonly name: string;
  readonly kind: string;
  readonly checks: readonly SourceCheck[];
}

const verdicts = ['pass', 'warn', 'fail'] as const;
type Verdict = SourceCheck['verdict'];

/** The worst of several. */
export function verdictOf(checks: readonly SourceCheck[]): Verdict {
  return checks.reduce<Verdict>(
    (worst, { verdict }) => (verdicts.indexOf(verdict) > verdicts.indexOf(worst) ? verdict : worst),
    'pass',
  );
}

/** A line a source with its verdict, below it a line a check, and what to do. */
export function doctorText(examined: readonly Examined[], style: Style): string {
  const lines = examined.flatMap(({ name, kind, checks }) => [
    `${shown(verdictOf(checks), style)}  ${style.strong(name)} ${style.faint(`(${kind})`)}`,
    ...checks.flatMap(({ verdict, says, remedy }) => [
      `  ${shown(verdict, style)}  ${says}`,
      ...remedy.map(line => `          ${line}`),
    ]),
  ]);
  return `${lines.join('\n')}\n${summary(examined)}\n`;
}

export function doctorJson(examined: readonly Examined[]): string {
  const sources = examined.map(each => ({ ...each, verdict: verdictOf(each.checks) }));
  const verdict = verdictOf(examined.flatMap(({ checks }) => checks));
  return `${JSON.stringify({ verdict, sources })}\n`;
}

function shown(verdict: Verdict, style: Style): string {
  const word = verdict.toUpperCase();
  return verdict === 'fail' ? style.alarm(word) : verdict === 'warn' ? style.strong(word) : word;
}

function summary(examined: readonly Examined[]): string {
  const counts = verdicts.map(verdict => {
    const count = examined.filter(({ checks }) => verdictOf(checks) === verdict).length;
    return `${count} ${verdict.toUpperCase()}`;
  });
  return `${examined.length} sources: ${counts.join(', ')}`;
}
