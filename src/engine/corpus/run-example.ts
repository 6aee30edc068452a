import type { BatchHeader } from '../../core/batch.ts';
import { countGroup, meetsCount } from '../fold/count.ts';
import { type Sighting, sightingOfLine } from '../fold/sighting.ts';
import { compileLineRules, type OriginRules, originRules } from '../recognize/compile.ts';
import { centreOf, matchSeries } from '../recognize/match-samples.ts';
import { type CompiledStateRule, compileStateRules, matchState } from '../recognize/match-state.ts';
import { recognizeLines } from '../recognize/recognize-lines.ts';
import { codeLookup } from './catalogue.ts';
import type { Corpus } from './corpus.ts';
import type { Rule } from './rule.ts';
import type { Origin } from './vocabulary.ts';

/** A rule that an example's text made match. */
export interface ExampleMatch {
  readonly rule: string;
  readonly captures: Readonly<Record<string, string>>;
}

/** Runs example texts through all rules of a corpus as recognition itself would. */
export interface ExampleRunner {
  /**
   * All matches of a text that a rule of `kind` gives as an example: lines of `origin` for a line rule; `field=value`
   * of `entity` for a state rule; for a sample rule series of values, one a line, of which the first is judged.
   */
  run(rule: Rule, text: string, origin: Origin | null): readonly ExampleMatch[];
}

export function exampleRunner(corpus: Corpus): ExampleRunner {
  const compiled = compileLineRules(corpus);
  const byOrigin = new Map<Origin, OriginRules>();
  const rulesOf = (origin: Origin): OriginRules => {
    const known = byOrigin.get(origin) ?? originRules(compiled, origin);
    byOrigin.set(origin, known);
    return known;
  };
  const states = compileStateRules(corpus);
  return {
    run(rule, text, origin) {
      const { match } = rule;
      if (match.kind === 'state') return runState(states, match.entity, text);
      if (match.kind === 'sample') return runSamples(corpus, match.metrics, text);
      const chosen = origin ?? match.origins[0];
      if (chosen === undefined) return [];
      return runLines(corpus, rulesOf(chosen), chosen, text);
    },
  };
}

function runLines(corpus: Corpus, rules: OriginRules, origin: Origin, text: string): readonly ExampleMatch[] {
  const bytes = new Uint8Array(Buffer.from(`${text}\n`));
  const header: BatchHeader = {
    source: 'example',
    origin,
    format: 'auto',
    node: null,
    stream: 'example',
    sequence: 0,
    firstLine: 1,
    dating: { zone: 'UTC', zoneAssumed: true, year: 2026, bootNanos: null },
  };
  const hits = recognizeLines({ header, bytes, length: bytes.length, ownFrom: 0, ownTo: bytes.length }, rules);
  const lookup = codeLookup(corpus.catalogues);
  const sightings = hits.flatMap(hit => {
    const rule = corpus.rules[hit.rule];
    return rule === undefined ? [] : [sightingOfLine(header, rule, hit, lookup)];
  });
  return sightings
    .filter(sighting => isOftenEnough(sighting, sightings))
    .map(({ rule, observation }) => ({ rule: rule.id, captures: observation.captures }));
}

function isOftenEnough(sighting: Sighting, all: readonly Sighting[]): boolean {
  const { count } = sighting.rule;
  if (count === null) return true;
  const group = countGroup(count, sighting);
  const counted = all
    .filter(({ rule }) => rule === sighting.rule)
    .filter(each => countGroup(count, each) === group);
  return meetsCount(
    count,
    counted.map(({ observation }) => observation.instant),
  );
}

function runState(
  states: readonly CompiledStateRule[],
  entity: 'job' | 'node' | 'check',
  text: string,
): readonly ExampleMatch[] {
  const equals = text.indexOf('=');
  const fact = {
    entity,
    field: text.slice(0, Math.max(equals, 0)).trim(),
    value: text.slice(equals + 1).trim(),
  };
  return states.flatMap(state => {
    const captures = matchState(state, fact);
    return captures === null ? [] : [{ rule: state.rule.id, captures }];
  });
}

function runSamples(corpus: Corpus, metrics: readonly string[], text: string): readonly ExampleMatch[] {
  const series = text.split('\n').map(line => line.trim().split(/\s+/).map(Number));
  const [values = []] = series;
  return corpus.rules.flatMap(({ id, match }) => {
    if (match.kind !== 'sample' || !match.metrics.some(metric => metrics.includes(metric))) return [];
    return matchSeries(match, values, centreOf(series)) === null ? [] : [{ rule: id, captures: {} }];
  });
}
