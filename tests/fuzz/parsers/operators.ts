import { readSettings } from '../../../src/config/read-settings.ts';
import { diffOpenapi, readOpenapi } from '../../../src/contract/diff.ts';
import { isPlain } from '../../../src/contract/plain.ts';
import { StartupError } from '../../../src/core/errors.ts';
import { loadCorpus } from '../../../src/engine/corpus/load.ts';
import { expandTemplate, templateProblem } from '../../../src/evidence/files/template.ts';
import { parseSource } from '../../../src/evidence/source-kinds.ts';
import { compilePattern } from '../../../src/lines/linear-regex.ts';
import { sampleRequest } from '../../support/sample-request.ts';
import { type FuzzedParser, jsonReader, owes, textParser } from '../fuzzed-parser.ts';

/** The path that a text says its own id is. */
function idOf(text: string): string {
  return /^ {0,2}"?id"?: ?"?([a-z0-9/-]{1,80})"?,?$/m.exec(text)?.[1] ?? 'gpu/x';
}

/** What operators write: settings, sources, rules, catalogues, patterns; and documents they compare with. */
export const operatorParsers: readonly FuzzedParser[] = [
  textParser(
    'configuration',
    text => {
      try {
        readSettings({ file: { path: 'config.yaml', text }, environment: {}, flags: {} });
        return true;
      } catch (error) {
        if (!(error instanceof StartupError)) throw error;
        owes(
          error.message.split('\n').every(line => line.startsWith('config.yaml:')),
          'every mistake has its place',
        );
        return !/config\.yaml:\d+:\d+: (?!unknown)[A-Z]/.test(error.message);
      }
    },
    'yaml',
  ),
  textParser('environment', text => {
    const variables = text.split('\n').map(line => line.split(/=(.*)/s, 2) as [string, string?]);
    try {
      readSettings({ file: null, environment: Object.fromEntries(variables), flags: {} });
      return true;
    } catch (error) {
      if (error instanceof StartupError) return !/unknown variable/.test(error.message);
      throw error;
    }
  }),
  jsonReader('source-settings', value => {
    // The settings around it have it that a source is an object with a kind that is a text.
    const fields = isPlain(value) ? value : {};
    const { kind } = fields;
    if (typeof kind !== 'string') return false;
    const parsed = parseSource({ ...fields, kind });
    return parsed.ok || !parsed.problems.some(problem => problem.startsWith('kind: '));
  }),
  textParser(
    'rule',
    text => {
      const loaded = loadCorpus([{ path: `${idOf(text)}.yaml`, text }]);
      if (loaded.ok) return true;
      for (const { line, column } of loaded.problems) {
        owes(line >= 1 && column >= 1 && line <= text.split('\n').length + 1, 'a problem has its place');
      }
      return !loaded.problems.some(({ message }) => message.startsWith('not valid YAML'));
    },
    'yaml',
  ),
  textParser(
    'catalogue',
    text => {
      const loaded = loadCorpus([{ path: 'catalogues/xid.yaml', text }]);
      return loaded.ok || !loaded.problems.some(({ message }) => message.startsWith('not valid YAML'));
    },
    'yaml',
  ),
  textParser('pattern', text => {
    const [pattern = '', line = ''] = text.split('\n');
    const compiled = compilePattern(pattern, {});
    if (!compiled.ok) return compiled.message !== '' && !/missing|unexpected|invalid/.test(compiled.message);
    const match = compiled.pattern.exec(line.slice(0, 2_048));
    owes(match === null || (match.index >= 0 && match.end <= line.length), 'a match lies in its line');
    return true;
  }),
  textParser('path-template', text => {
    if (templateProblem(text.trim()) !== null) return text.includes('{') || text.includes('..');
    const asked = sampleRequest({ workloadId: '42' });
    const { paths, refused } = expandTemplate(text.trim(), asked, [{ name: 'node-01', aliases: ['n1'] }]);
    const candidates = paths.flatMap(path => path.candidates);
    owes(
      candidates.every(path => !path.split('/').includes('..')),
      'a path stays below its root',
    );
    return candidates.length + refused.length > 0;
  }),
  textParser(
    'openapi',
    text => {
      const theirs = readOpenapi(text);
      if (!theirs.ok) return false;
      for (const { path, says } of diffOpenapi(theirs.document, {})) {
        owes(path.length + says.length < 10_000 + text.length, 'a difference is bounded');
      }
      diffOpenapi({ openapi: '3.1.0', paths: {} }, theirs.document);
      diffOpenapi(theirs.document, theirs.document);
      return true;
    },
    'json',
  ),
];
