import type { Inhibition, Symptom } from '../../src/core/symptom.ts';
import { type CodeLookup, codeLookup } from '../../src/engine/corpus/catalogue.ts';
import { type Corpus, removeRow, removeRule, withRules } from '../../src/engine/corpus/corpus.ts';
import type { CatalogueRow, Rule } from '../../src/engine/corpus/rule.ts';
import type { SymptomChange } from './recorded-reading.ts';

/** One part of the corpus that must be worth its place: a stable rule, a stable row, or an inhibition of either. */
export interface NeededPart {
  /** `rule nccl/...`, `row xid-79`, or `inhibition xid-79 node hung-task`: its owner, scope and first symptom. */
  readonly name: string;
  /** Whether it can have had a say where these were seen. */
  appearsIn(symptoms: readonly Symptom[]): boolean;
  /** What would have been recognised without it. */
  readonly without: SymptomChange;
  /** The corpus without it. */
  removedFrom(corpus: Corpus): Corpus;
}

/** In the order of the corpus. */
export function neededParts(corpus: Corpus): readonly NeededPart[] {
  const { xid, sxid, nvlink } = corpus.catalogues;
  const rows: readonly CatalogueRow[] = [...xid, ...sxid, ...nvlink];
  const codes = new Map(rows.map(row => [row.code, row]));
  return [
    ...corpus.rules.filter(isStable).map(rulePart),
    ...rows.filter(isStable).map(row => rowPart(row, corpus)),
    ...corpus.rules.flatMap(rule =>
      rule.inhibits.map(inhibition =>
        inhibitionPart(
          rule.id,
          inhibition,
          symptom => symptom.rule === rule.id && !codes.has(symptom.code ?? ''),
        ),
      ),
    ),
    ...rows.flatMap(row =>
      row.inhibits.map(inhibition => inhibitionPart(row.code, inhibition, ({ code }) => code === row.code)),
    ),
  ];
}

const isStable = ({ status }: Pick<Rule, 'status'>): boolean => status === 'stable';

function rulePart({ id }: Rule): NeededPart {
  const isOfRule = ({ rule }: Symptom): boolean => rule === id;
  return {
    name: `rule ${id}`,
    appearsIn: symptoms => symptoms.some(isOfRule),
    without: symptoms => symptoms.filter(symptom => !isOfRule(symptom)),
    removedFrom: corpus => removeRule(corpus, id),
  };
}

/** Without its row a code means what the rule that read it says, or what another row says of it. */
function rowPart({ code }: CatalogueRow, corpus: Corpus): NeededPart {
  const isOfRow = (symptom: Symptom): boolean => symptom.code === code;
  const rules = new Map(corpus.rules.map(rule => [rule.id, rule]));
  const lookup = codeLookup(removeRow(corpus, code).catalogues);
  return {
    name: `row ${code}`,
    appearsIn: symptoms => symptoms.some(isOfRow),
    without: symptoms =>
      symptoms.map(symptom => (isOfRow(symptom) ? reread(symptom, rules.get(symptom.rule), lookup) : symptom)),
    removedFrom: known => removeRow(known, code),
  };
}

function reread(symptom: Symptom, rule: Rule | undefined, lookup: CodeLookup): Symptom {
  if (rule === undefined) throw new Error(`no rule ${symptom.rule}`);
  const meaning = lookup(rule.catalogue, symptom.observations[0]?.captures ?? {});
  const { title, symptom: name, category, blames, role, strength, status, inhibits } = meaning?.row ?? rule;
  const said = { title, symptom: name, category, blames, ruleRole: role, strength, status, inhibits };
  return { ...symptom, ...said, code: meaning?.code ?? null };
}

function inhibitionPart(
  owner: string,
  inhibition: Inhibition,
  isOwn: (symptom: Symptom) => boolean,
): NeededPart {
  const [first = ''] = inhibition.symptoms;
  const isIt = ({ scope, symptoms }: Inhibition): boolean =>
    scope === inhibition.scope && symptoms[0] === first;
  const rest = (inhibits: readonly Inhibition[]): readonly Inhibition[] => inhibits.filter(each => !isIt(each));
  const names = new Set(inhibition.symptoms);
  return {
    name: `inhibition ${owner} ${inhibition.scope} ${first}`,
    appearsIn: symptoms =>
      symptoms.some(isOwn) && symptoms.some(({ symptom, code }) => names.has(symptom) || names.has(code ?? '')),
    without: symptoms =>
      symptoms.map(symptom => (isOwn(symptom) ? { ...symptom, inhibits: rest(symptom.inhibits) } : symptom)),
    removedFrom(corpus) {
      const { xid, sxid, nvlink } = corpus.catalogues;
      const spared = <Row extends CatalogueRow>(row: Row): Row =>
        row.code === owner ? { ...row, inhibits: rest(row.inhibits) } : row;
      const catalogues = { xid: xid.map(spared), sxid: sxid.map(spared), nvlink: nvlink.map(spared) };
      const rules = corpus.rules.map(rule =>
        rule.id === owner ? { ...rule, inhibits: rest(rule.inhibits) } : rule,
      );
      return withRules({ ...corpus, catalogues }, rules);
    },
  };
}
