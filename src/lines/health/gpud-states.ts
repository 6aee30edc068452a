import { entriesOf, membersOf, wordOf } from '../json-value.ts';
import { type CheckResult, type HealthDocument, nodesNamed, oneLine } from './health-document.ts';

/**
 * `repair_actions`, in the order in which one counts: where an application may have done it, or nothing needs doing, no
 * other proves a fault; else the one that weighs most.
 */
const actions = ['IGNORE_NO_ACTION_REQUIRED', 'CHECK_USER_APP_AND_GPU', 'HARDWARE_INSPECTION', 'REBOOT_SYSTEM'];

/**
 * One component of gpud's states, of which `/v1/states` answers a list: `unhealthy reboot_system accelerator-nvidia-ecc:
 * reason`. What is healthy, or still starting, is left out.
 */
export const gpudStates: HealthDocument = {
  name: 'gpud',
  markers: ['component'],
  parse(value) {
    return isComponent(value) ? { nodes: nodesNamed(value), results: componentResults(value) } : null;
  },
};

function isComponent(value: unknown): boolean {
  const { component, states } = membersOf(value);
  return typeof component === 'string' && Array.isArray(states);
}

function componentResults(value: unknown): readonly CheckResult[] {
  const members = membersOf(value);
  const component = oneLine(wordOf(members['component']) ?? 'component').toLowerCase();
  return entriesOf(members['states']).flatMap((state): readonly CheckResult[] => {
    const { health, healthy, reason, error, suggested_actions, time } = membersOf(state);
    const word = wordOf(health)?.toLowerCase() ?? (healthy === false ? 'unhealthy' : 'healthy');
    if (word !== 'unhealthy' && word !== 'degraded') return [];
    const said = wordOf(reason) ?? wordOf(error) ?? '';
    const action = actionOf(membersOf(suggested_actions)['repair_actions']);
    return [
      {
        check: component,
        field: 'gpud',
        value: `${word} ${action} ${component}: ${oneLine(said)}`,
        said: said === '' ? component : said,
        time: wordOf(time),
      },
    ];
  });
}

function actionOf(suggested: unknown): string {
  const given = entriesOf(suggested).map(each => wordOf(each)?.toUpperCase());
  return actions.find(action => given.includes(action))?.toLowerCase() ?? 'none';
}
