import type { GlobalOptions } from '../command.ts';
import { formOf, rulesInForce } from './rules-in-force.ts';

/** Lists the rules in force, with where they come from. */
export async function listRules(
  options: Readonly<Record<string, unknown>>,
  globals: GlobalOptions,
): Promise<number> {
  const form = formOf(options['output'], ['table', 'json']);
  const { corpus, folderOf, overridden } = await rulesInForce(options, globals);
  const listed = corpus.rules.map(rule => ({
    id: rule.id,
    status: rule.status,
    strength: rule.strength,
    role: rule.role,
    blames: rule.blames,
    symptom: rule.symptom,
    title: rule.title,
    folder: folderOf.get(`${rule.id}.yaml`) ?? null,
    overrides: overridden.has(`${rule.id}.yaml`),
  }));
  if (form === 'json') {
    process.stdout.write(`${JSON.stringify({ corpus: corpus.hash, rules: listed })}\n`);
    return 0;
  }
  const width = Math.max(...listed.map(({ id }) => id.length));
  for (const { id, status, strength, role, blames, title, overrides } of listed) {
    const columns = [id.padEnd(width), strength, role.padEnd(12), blames.padEnd(6), status.padEnd(12)];
    process.stdout.write(
      `${columns.join('  ')}  ${title}${overrides ? '  (in place of the one that ships)' : ''}\n`,
    );
  }
  return 0;
}
