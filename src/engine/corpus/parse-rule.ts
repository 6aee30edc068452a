import type { LineMatch, Rule, SampleMatch, StateMatch, ThenMatch } from './rule.ts';
import type { RuleFile } from './schema.ts';
import type { Inhibition } from './vocabulary.ts';

type LineFile = NonNullable<RuleFile['match']['line']>;
type StateFile = NonNullable<RuleFile['match']['state']>;
type SampleFile = NonNullable<RuleFile['match']['sample']>;

/** A rule file that fits its schema, in the words of the engine, defaults filled in. */
export function parseRule(file: RuleFile): Rule {
  return {
    id: file.id,
    title: file.title,
    status: file.status,
    symptom: file.symptom,
    category: file.category,
    blames: file.blames,
    role: file.role,
    strength: file.strength,
    match: parseMatch(file.match),
    catalogue: file.catalogue ?? null,
    count:
      file.count === undefined
        ? null
        : { atLeast: file.count.at_least, withinSeconds: file.count.within_seconds, by: file.count.by },
    keepEnds: file.keep === 'ends',
    inhibits: parseInhibits(file.inhibits),
    lasts: file.lasts ?? false,
    caution: file.caution,
    references: file.references,
    matches: file.examples.match.map(({ text, origin, captures, also }) => ({
      text,
      origin: origin ?? null,
      captures: captures ?? {},
      also: also ?? [],
    })),
    nearMisses: file.examples.no_match.map(({ text, origin, because, also }) => ({
      text,
      origin: origin ?? null,
      because,
      also: also ?? [],
    })),
  };
}

export function parseInhibits(inhibits: RuleFile['inhibits']): readonly Inhibition[] {
  return (inhibits ?? []).map(({ symptoms, scope, within_seconds }) => ({
    symptoms,
    scope,
    withinSeconds: within_seconds,
  }));
}

function parseMatch(match: RuleFile['match']): Rule['match'] {
  if (match.line !== undefined) return parseLineMatch(match.line);
  if (match.state !== undefined) return parseStateMatch(match.state);
  if (match.sample !== undefined) return parseSampleMatch(match.sample);
  throw new Error('a rule file passed its schema without a match');
}

function parseLineMatch(line: LineFile): LineMatch {
  return {
    kind: 'line',
    origins: line.origins,
    keywords: line.keywords,
    pattern: line.pattern,
    ignoreCase: line.ignore_case ?? false,
    unless: line.unless ?? null,
    says: line.says ?? [],
    unlessSays: line.unless_says ?? [],
    further: (line.then ?? []).map(
      (each): ThenMatch => ({
        pattern: each.pattern,
        ignoreCase: each.ignore_case ?? false,
        lines: each.lines ?? null,
        seconds: each.seconds ?? null,
        direction: each.direction ?? 'forward',
        same: each.same ?? null,
        absent: each.absent ?? false,
      }),
    ),
  };
}

function parseStateMatch(state: StateFile): StateMatch {
  return {
    kind: 'state',
    entity: state.entity,
    field: state.field,
    values: state.values ?? [],
    pattern: state.pattern ?? null,
    unless: state.unless ?? null,
    says: state.says ?? [],
    unlessSays: state.unless_says ?? [],
  };
}

function parseSampleMatch(sample: SampleFile): SampleMatch {
  return {
    kind: 'sample',
    metrics: sample.metrics,
    changed: sample.changed ?? false,
    to: sample.to ?? [],
    increasedBy: sample.increased_by ?? null,
    above: sample.above ?? null,
    below: sample.below ?? null,
    awayFromMedianBy: sample.away_from_median_by ?? null,
  };
}
