import type { SourceCheck } from '../core/ports.ts';
import type { Style } from './terminal.ts';

export interface Examined {
  readonly name: string;
  readonly kind: string;
  /** Where it is asked, where that is an address. */
  readonly url?: string;
  readonly checks: readonly SourceCheck[];
}

/** Stands where the kind of a source stands. */
export const listenerKind = 'listener';

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
  const lines = examined.flatMap(({ name, kind, url, checks }) => [
    `${shown(verdictOf(checks), style)}  ${style.strong(name)} ${style.faint(`(${url === undefined ? kind : `${kind}, ${url}`})`)}`,
    ...checks.flatMap(({ verdict, says, remedy }) => [
      `  ${shown(verdict, style)}  ${says}`,
      ...remedy.map(line => `          ${line}`),
    ]),
  ]);
  return `${lines.join('\n')}\n${summary(examined)}\n`;
}

export function doctorJson(examined: readonly Examined[]): string {
  const all = examined.map(each => ({ ...each, verdict: verdictOf(each.checks) }));
  const verdict = verdictOf(examined.flatMap(({ checks }) => checks));
  const sources = all.filter(({ kind }) => kind !== listenerKind);
  const listeners = all.filter(({ kind }) => kind === listenerKind);
  return `${JSON.stringify({ verdict, sources, ...(listeners.length === 0 ? {} : { listeners }) })}\n`;
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
  const listeners = examined.filter(({ kind }) => kind === listenerKind).length;
  const also = listeners === 0 ? '' : ` and ${listeners} listeners`;
  return `${examined.length - listeners} sources${also}: ${counts.join(', ')}`;
}
