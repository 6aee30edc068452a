import { type Corpus, placeOf } from './corpus.ts';
import { type CorpusProblem, type Place, problemAt } from './problem.ts';
import type { Inhibition } from './vocabulary.ts';

/** A rule or a row of a catalogue with what it explains. */
interface Explaining {
  readonly name: string;
  readonly symptom: string;
  readonly inhibits: readonly Inhibition[];
  place(index: number): Place;
}

/** Inhibitions name what exists, and nothing explains itself in the end. */
export function checkInhibitions(corpus: Corpus): readonly CorpusProblem[] {
  const { xid, sxid, nvlink } = corpus.catalogues;
  const rows = [...xid, ...sxid, ...nvlink];
  const known = new Set([
    ...corpus.rules.map(rule => rule.symptom),
    ...rows.flatMap(row => [row.code, row.symptom]),
  ]);
  const fileOf = (code: string): string => `catalogues/${code.slice(0, code.indexOf('-'))}.yaml`;
  const all: readonly Explaining[] = [
    ...corpus.rules.map(({ id, symptom, inhibits }) => ({
      name: 'inhibits',
      symptom,
      inhibits,
      place: (index: number) => placeOf(corpus, id, `#inhibits/${index}`),
    })),
    ...rows.map(({ code, symptom, inhibits }) => ({
      name: `inhibits of ${code}`,
      symptom,
      inhibits,
      place: () => ({ file: fileOf(code), line: 1, column: 1 }),
    })),
  ];
  const circleOf = circleFinder(all);
  return all.flatMap(({ name, symptom, inhibits, place }) =>
    inhibits.flatMap(({ symptoms }, index) =>
      symptoms.flatMap(explained => {
        if (!known.has(explained)) {
          const message = `there is no symptom or code \`${explained}\`: correct it, or see \`rules list -o json\``;
          return [problemAt(place(index), `${name}: ${message}`)];
        }
        const circle = circleOf(symptom, explained);
        if (circle === null) return [];
        return [
          problemAt(
            place(index),
            `${name}: \`${symptom}\` explains itself in the end (${circle}): leave one out`,
          ),
        ];
      }),
    ),
  );
}

/** The way from `explained` back to `symptom` by what explains what; null where there is none. */
function circleFinder(all: readonly Explaining[]): (symptom: string, explained: string) => string | null {
  const explains = new Map<string, Set<string>>();
  for (const { symptom, inhibits } of all) {
    const own = explains.get(symptom) ?? new Set();
    for (const { symptoms } of inhibits) for (const each of symptoms) own.add(each);
    explains.set(symptom, own);
  }
  return (symptom, explained) => {
    const cameFrom = new Map<string, string | null>([[explained, null]]);
    // The map grows while it is walked.
    for (const at of cameFrom.keys()) {
      if (at === symptom) return [...wayTo(at, cameFrom), symptom].reverse().join(' > ');
      for (const next of explains.get(at) ?? []) if (!cameFrom.has(next)) cameFrom.set(next, at);
    }
    return null;
  };
}

function wayTo(end: string, cameFrom: ReadonlyMap<string, string | null>): readonly string[] {
  const way: string[] = [];
  for (let at: string | null = end; at !== null; at = cameFrom.get(at) ?? null) way.push(at);
  return way;
}
