import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ProofLevel, proofLevels } from '../../src/engine/conclude/proof-level.ts';
import type { Reliability } from '../../src/engine/conclude/reliability.ts';
import { calibrationOf, type Named, namedIn, pooledShortfalls, shareOf } from './calibration.ts';
import { evaluateSeed } from './evaluate-seed.ts';
import { fitReliability, fitSeeds, measuredSeeds } from './fit.ts';
import { measureCases } from './measure-cases.ts';
import { reliabilityPage } from './reliability-page.ts';

const home = join(import.meta.dirname, '../..');
const tableFile = join(home, 'src/engine/conclude/reliability.ts');
const pageFile = join(home, 'docs/reference/reliability.md');

/**
 * Fits confidence on some seeds, measures it on others and on the recorded cases, and writes table and page. Findings
 * tell their level by the number they have now. Returns what the measured seeds fall short of.
 */
export async function fitConfidence(): Promise<readonly string[]> {
  const groups = Map.groupBy(await namedInSeeds(fitSeeds), ({ level }) => level);
  const counts = Object.keys(proofLevels).map(level => [level, shareOf(groups.get(level as ProofLevel) ?? [])]);
  const fitted = fitReliability(Object.fromEntries(counts));
  const measured = calibrationOf(await namedInSeeds(measuredSeeds), fitted);
  const cases = calibrationOf(await measureCases(), fitted);
  const page = reliabilityPage({ fitted, measured, cases });
  writeFileSync(tableFile, withTable(readFileSync(tableFile, 'utf8'), fitted));
  writeFileSync(pageFile, page);
  console.log(page);
  return pooledShortfalls(measured);
}

async function namedInSeeds(seeds: readonly string[]): Promise<readonly Named[]> {
  const named: Named[] = [];
  for (const seed of seeds) named.push(...namedIn((await evaluateSeed(seed)).judged));
  return named;
}

function withTable(source: string, fitted: Readonly<Record<ProofLevel, Reliability>>): string {
  const rows = Object.entries(fitted).map(([level, { right, of, confidence }]) => {
    const key = level.includes('-') ? `'${level}'` : level;
    return `  ${key}: { right: ${right}, of: ${of}, confidence: ${confidence} },`;
  });
  return source.replace(/(= \{\n)[^}]*\}[\s\S]*(\n\};\n)$/, `$1${rows.join('\n')}$2`);
}
