import { join } from 'node:path';
import { catalogueNames } from '../../engine/corpus/catalogue.ts';
import { placeOf } from '../../engine/corpus/corpus.ts';
import { type CorpusProblem, type Place, problemAt, sortProblems } from '../../engine/corpus/problem.ts';
import type { Rule } from '../../engine/corpus/rule.ts';
import { compilePattern } from '../../lines/linear-regex.ts';
import type { LayeredCorpus } from '../../providers/rules/layer-corpus.ts';

/** What is not wrong with an operator's own rules and may still surprise; those of `shipped` are not looked at. */
export function notesOnRules(
  { corpus, folderOf, overridden }: LayeredCorpus,
  shipped: string,
): readonly CorpusProblem[] {
  const isOwn = (path: string): boolean => folderOf.has(path) && folderOf.get(path) !== shipped;
  const inFolder = (place: Place): Place => ({
    ...place,
    file: join(folderOf.get(place.file) ?? '', place.file),
  });
  const ofRules = corpus.rules.flatMap(rule => {
    const { id, blames, status } = rule;
    const place = placeOf(corpus, id);
    if (!isOwn(place.file)) return [];
    const silent =
      blames === 'nobody' || status === 'stable'
        ? []
        : [
            `blames ${blames === 'node' ? 'its node' : 'the job'}, and names nobody as long as its status is ${status}`,
          ];
    const replaces = overridden.has(place.file) ? ['takes the place of the rule with the same path'] : [];
    return [...replaces, ...silent, ...costs(rule)].map(message => problemAt(inFolder(place), message));
  });
  const ofCatalogues = catalogueNames.flatMap(name => {
    const file = `catalogues/${name}.yaml`;
    if (!isOwn(file) || !overridden.has(file)) return [];
    const message = `takes the place of the whole table: ${corpus.catalogues[name].length} codes are known now`;
    return [problemAt(inFolder({ file, line: 1, column: 1 }), message)];
  });
  return sortProblems([...ofRules, ...ofCatalogues]);
}

/** In the worst text a step is taken for each instruction at each letter. */
const manyInstructions = 250;

/** Patterns that are linear and still slow enough to use up a request's time on text that somebody made for them. */
function costs({ match }: Rule): readonly string[] {
  if (match.kind !== 'line') return [];
  const patterns = [match.pattern, match.unless ?? '', ...match.further.map(({ pattern }) => pattern)];
  return patterns.flatMap(pattern => {
    const compiled = compilePattern(pattern);
    if (!compiled.ok || compiled.pattern.instructions < manyInstructions) return [];
    return [
      `a pattern compiles to ${compiled.pattern.instructions} instructions, and can take seconds for a MiB of lines that are made for it: shorten it or lower its repeat counts`,
    ];
  });
}
