import { settle } from '../explain/verdict.ts';
import { nodeStatuses } from '../node-coverage.ts';
import { accusing, changed, type Step } from './judgement.ts';

const name = 'outranked';

/**
 * The kernel log outranks what metrics say of it: an Xid that an exporter tells of (a gauge keeps old ones) does not
 * accuse a node whose kernel log was read to the end without it. Nor does what can no longer be cited.
 */
export const outranked: Step = {
  name,
  run(judgement, context) {
    const accused = accusing(judgement.symptoms);
    const uncited = accused.filter(symptom => symptom.observations.length === 0);
    const kernel = nodeStatuses(context.coverage, 'kernel');
    const shown = new Set(
      judgement.symptoms
        .filter(symptom => symptom.origin === 'kernel')
        .map(symptom => JSON.stringify([symptom.node, symptom.code])),
    );
    const denied = accused.filter(
      ({ origin, code, node }) =>
        origin === 'exporter' &&
        code?.startsWith('xid-') === true &&
        kernel.of(node ?? '').has('complete') &&
        !shown.has(JSON.stringify([node, code])),
    );
    const cited = changed(judgement.symptoms, uncited, symptom =>
      settle(symptom, 'unknown', name, 'no line of it is left to cite'),
    );
    const symptoms = changed(cited, denied, symptom =>
      settle(symptom, 'unknown', name, 'the kernel log was read to the end and does not show this error'),
    );
    return { ...judgement, symptoms };
  },
};
