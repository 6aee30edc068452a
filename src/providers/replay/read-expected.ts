import { errorCategories, errorTypes } from '../../contract/index.ts';
import { StartupError } from '../../core/errors.ts';
import type { Evidence, Outcome, Problem } from '../../core/outcome.ts';
import type { Target } from '../../core/target.ts';
import { asList, asObject, asText, Malformed, type Place, within, wordOf } from '../read-fields.ts';

/** What a recorded case expects, as an answer. Its findings cite the case, since an expectation has no lines. */
export function readExpected(path: string, text: string): Outcome {
  try {
    return outcomeOf(path, within(JSON.parse(text), path));
  } catch (error) {
    const says = error instanceof Malformed ? error.message : `${path} is no JSON`;
    throw new StartupError(`provider.replay.path: ${says}`);
  }
}

function outcomeOf(path: string, place: Place): Outcome {
  const fields = asObject(place);
  const targets = asList(fields('targets'), targetOf, 'required');
  const categories = asList(fields('categories'), item => wordOf(item, errorCategories));
  const evidence: Evidence = {
    kind: 'note',
    source: 'replay',
    observedAt: null,
    node: null,
    message: `the recorded case ${path} expects this`,
    reference: null,
  };
  return {
    findings: targets.map((target, index) => ({
      target,
      category: categories[index] ?? 'unknown',
      observedAt: null,
      evidence: [evidence],
      confidence: null,
    })),
    unattributed: [],
    coverage: [],
    problem: problemOf(fields('error')),
  };
}

function targetOf(place: Place): Target {
  const fields = asObject(place);
  const type = wordOf(fields('type'), ['Node', 'AllJobResources']);
  return type === 'Node' ? { type, node: asText(fields('node')) } : { type };
}

function problemOf(place: Place): Problem | null {
  if (place.value === undefined || place.value === null) return null;
  return { type: wordOf(place, errorTypes), message: 'as the recorded case expects' };
}
