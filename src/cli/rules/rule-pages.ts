import { catalogueNames } from '../../engine/corpus/catalogue.ts';
import type { Corpus } from '../../engine/corpus/corpus.ts';
import type { CatalogueRow } from '../../engine/corpus/rule.ts';
import { namingOf } from './naming.ts';
import { factsOfRule, type RuleFacts } from './rule-facts.ts';

/** Reference pages in Markdown, by file name: one a family, one a catalogue, and a list of them. */
export function rulePages(corpus: Corpus): ReadonlyMap<string, string> {
  const families = Map.groupBy(corpus.rules, ({ id }) => id.split('/', 1)[0] ?? id);
  const pages = new Map<string, string>();
  for (const [family, rules] of families) {
    const facts = rules.map(rule => factsOfRule(corpus, rule));
    pages.set(`${family}.md`, `# Rules: ${family}\n\n${facts.map(ruleSection).join('\n')}`);
  }
  for (const name of catalogueNames) {
    const rows = corpus.catalogues[name];
    if (rows.length > 0) pages.set(`catalogue-${name}.md`, cataloguePage(name, rows));
  }
  const list = [...families].map(([family, rules]) => `| [${family}](${family}.md) | ${rules.length} rules |`);
  const tables = catalogueNames
    .filter(name => corpus.catalogues[name].length > 0)
    .map(name => `| [${name}](catalogue-${name}.md) | ${corpus.catalogues[name].length} codes |`);
  const head =
    '# Rules\n\nWhat is recognised, what it means and what it must not be taken for. Written by `make generate` from `rules/`.\n';
  pages.set('README.md', `${head}\n| family | |\n|---|---|\n${[...list, ...tables].join('\n')}\n`);
  return pages;
}

function ruleSection(facts: RuleFacts): string {
  const list = (label: string, texts: readonly string[]): string[] =>
    texts.map(text => `- **${label}**: ${text}`);
  return [
    `## ${facts.id}`,
    '',
    `${facts.title}. It ${facts.says}.`,
    '',
    `- **is**: ${facts.status}, ${facts.strength}, ${facts.role}, \`${facts.category}\`, symptom \`${facts.symptom}\``,
    `- **reads**: ${inline(facts.reads)}`,
    ...list('also', facts.conditions),
    ...list('explains', facts.explains),
    ...(facts.followsFrom.length === 0 ? [] : list('follows from', [facts.followsFrom.join(', ')])),
    ...list('caution', [facts.caution]),
    ...list('source', [facts.references.join('; ')]),
    '',
    ...facts.patterns.flatMap(({ of, pattern }) => [`Pattern of the ${of}:`, '', fenced(pattern), '']),
    'Matches:',
    '',
    ...facts.matches.flatMap(text => [fenced(text), '']),
    'Does not match:',
    '',
    ...facts.nearMisses.flatMap(({ text, because }) => [fenced(text), `(${because})`, '']),
  ].join('\n');
}

function cataloguePage(name: string, rows: readonly CatalogueRow[]): string {
  const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');
  const lines = rows.map(
    row =>
      `| ${[row.code, row.title, row.strength, `It ${namingOf(row)}.`, row.caution ?? ''].map(cell).join(' | ')} |`,
  );
  return `# Catalogue: ${name}\n\n| code | title | strength | says | caution |\n|---|---|---|---|---|\n${lines.join('\n')}\n`;
}

/** Text that Markdown must not read. */
const inline = (text: string): string => text.replaceAll(/[\\`*_<>[\]|]/g, '\\$&');

/** A block of text, between fences longer than any in it. */
function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}text\n${text.trimEnd()}\n${fence}`;
}
