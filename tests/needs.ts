import { openCorpus } from '../src/app/engine.ts';
import { findNeeds } from './support/find-needs.ts';

/**
 * `node tests/needs.ts` prints, by family, the stable rules, stable catalogue rows and inhibitions that no case breaks
 * without; with names of cases, what each of them breaks without.
 */
const names = process.argv.slice(2);
const corpus = await openCorpus();
const { needed, missing } = await (names.length === 0 ? findNeeds(corpus) : findNeeds(corpus, names));
if (names.length === 0) {
  const families = Map.groupBy(missing, familyOf);
  for (const [family, parts] of [...families].sort(([a], [b]) => (a < b ? -1 : 1))) {
    console.log(`${family}: ${parts.length}`);
    for (const part of parts) console.log(`  ${part}`);
  }
} else {
  for (const [part, { name, variant }] of needed) {
    console.log(`${part}\t${name}${variant === null ? '' : `, ${variant}`}`);
  }
}
console.log(`${needed.size} of ${needed.size + missing.length} are needed by a case`);

/** `nccl` of `rule nccl/remote-error` and of its inhibitions, `xid` of `row xid-79`. */
function familyOf(part: string): string {
  const owner = part.split(' ')[1] ?? '';
  return owner.split(/[/-]/)[0] ?? '';
}
