import { join } from 'node:path';
import { type CatalogueName, catalogueNames } from '../../engine/corpus/catalogue.ts';
import { placeOf } from '../../engine/corpus/corpus.ts';
import type { LayeredCorpus } from '../../providers/rules/layer-corpus.ts';
import type { GlobalOptions } from '../command.ts';
import { type CodeFacts, factsOfCode, factsOfRule, type RuleFacts } from './rule-facts.ts';
import { formOf, rulesInForce, unknownRule } from './rules-in-force.ts';

/** Says what a rule or a code recognises, what it means and what follows from it. */
export async function explainRule(
  id: string,
  options: Readonly<Record<string, unknown>>,
  globals: GlobalOptions,
): Promise<number> {
  const form = formOf(options['output'], ['table', 'json']);
  const layered = await rulesInForce(options, globals);
  const { corpus } = layered;
  const rule = corpus.rules.find(each => each.id === id);
  if (rule !== undefined) {
    const facts = { ...factsOfRule(corpus, rule), file: fileOf(layered, id) };
    process.stdout.write(form === 'json' ? `${JSON.stringify(facts)}\n` : ruleText(facts));
    return 0;
  }
  for (const catalogue of catalogueNames) {
    const row = corpus.catalogues[catalogue].find(({ code }) => code === id);
    if (row === undefined) continue;
    const facts = { ...factsOfCode(corpus, catalogue, row), file: fileOfCatalogue(layered, catalogue) };
    process.stdout.write(form === 'json' ? `${JSON.stringify(facts)}\n` : codeText(facts));
    return 0;
  }
  throw unknownRule(`there is no rule and no code ${id}`, options);
}

function fileOf({ corpus, folderOf }: LayeredCorpus, id: string): string {
  const { file, line } = placeOf(corpus, id);
  return `${join(folderOf.get(file) ?? '', file)}:${line}`;
}

function fileOfCatalogue({ folderOf }: LayeredCorpus, catalogue: CatalogueName): string {
  const path = `catalogues/${catalogue}.yaml`;
  return join(folderOf.get(path) ?? '', path);
}

function ruleText(facts: RuleFacts & { readonly file: string }): string {
  return [
    `${facts.id}  ${facts.title}\n`,
    row('says', facts.says),
    row('is', `${facts.status}, ${facts.strength}, ${facts.role}, ${facts.category}, symptom ${facts.symptom}`),
    row('reads', facts.reads),
    ...facts.patterns.map(({ of, pattern }) => row(of === 'line' ? 'pattern' : of, pattern)),
    ...facts.conditions.map(text => row('also', text)),
    ...facts.explains.map(text => row('explains', text)),
    ...(facts.followsFrom.length === 0 ? [] : [row('follows', facts.followsFrom.join(', '))]),
    row('caution', facts.caution),
    ...facts.references.map(text => row('source', text)),
    ...facts.matches.map(text => row('match', text)),
    ...facts.nearMisses.flatMap(({ text, because }) => [row('not', text), row('', `(${because})`)]),
    row('file', facts.file),
  ].join('');
}

function codeText(facts: CodeFacts & { readonly file: string }): string {
  return [
    `${facts.code}  ${facts.title}\n`,
    row('says', facts.says),
    row('is', `${facts.status}, ${facts.strength}, ${facts.role}, ${facts.category}, symptom ${facts.symptom}`),
    row('read by', facts.readBy.join(', ')),
    ...facts.explains.map(text => row('explains', text)),
    ...(facts.followsFrom.length === 0 ? [] : [row('follows', facts.followsFrom.join(', '))]),
    ...(facts.caution === null ? [] : [row('caution', facts.caution)]),
    row('file', facts.file),
  ].join('');
}

const labelWidth = 10;

/** A label and its text; further lines of the text, and the text of a long label, stand below. */
function row(label: string, text: string): string {
  const lines = text.trimEnd().split('\n');
  const below = label.length >= labelWidth;
  const head = below ? [`  ${label}\n`] : [];
  const rest = lines.map(
    (line, index) => `  ${(index === 0 && !below ? label : '').padEnd(labelWidth)}${line}\n`,
  );
  return [...head, ...rest].join('');
}
