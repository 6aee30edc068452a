import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { answer, rolesOf } from '../../../tests/support/reasoning.ts';
import {
  coverage,
  nodesNamed,
  placement,
  progress,
  symptom,
  traceback,
  watchdog,
  xid,
} from '../../../tests/support/symptoms.ts';

const teardownXid = (node: string, at: number) =>
  xid(45, node, at, { strength: 'S6', ruleRole: 'victim', blames: 'nobody', device: null });

const linkDown = (node: string, at: number | null, rest = {}) =>
  symptom({ symptom: 'link-down', node, at, strength: 'S3', category: 'network_fabric', ...rest });

describe('only evidence local to a node names it', () => {
  test('a victim that names its peer names nobody', () => {
    const broken = symptom({
      symptom: 'connection-closed',
      node: 'node-01',
      origin: 'job',
      strength: 'S5',
      ruleRole: 'victim',
      blames: 'nobody',
      category: 'unknown',
      captures: { peer: 'node-03' },
    });
    const result = answer([broken]);
    assert.deepEqual(result.targets, []);
    assert.deepEqual(result.told, []);
    assert.equal(result.problem, null);
  });

  test('an Xid in the kernel log of the node names it', () => {
    const result = answer([xid(79, 'node-03', -10)]);
    assert.deepEqual(result.targets, ['node-03']);
    assert.deepEqual(result.categories, ['accelerator_gpu']);
  });

  test('the same Xid printed by the job names nobody, whatever the kernel log says', () => {
    for (const status of ['complete', 'absent'] as const) {
      const printed = xid(79, 'node-03', -10, { origin: 'job' });
      const result = answer([printed], { coverage: [coverage('kernel', 'node-[01-04]', status)] });
      assert.deepEqual(result.targets, []);
      assert.deepEqual(result.told, []);
    }
  });

  test('a rule that is not stable names nobody', () => {
    assert.deepEqual(answer([xid(79, 'node-03', -10, { status: 'test' })]).targets, []);
    assert.deepEqual(answer([xid(79, 'node-03', -10, { status: 'experimental' })]).told, []);
  });
});

describe('strong symptoms convict, ambiguous ones do not', () => {
  test('63 nodes that clean up beside one whose GPU fell off its bus', () => {
    const nodes = nodesNamed(64);
    const cleaned = nodes
      .filter(node => node !== 'node-17')
      .map((node, at) => teardownXid(node, -5 + at / 100));
    const fallen = xid(79, 'node-17', -4, {
      inhibits: [{ symptoms: ['xid-45'], scope: 'job', withinSeconds: 600 }],
    });
    const result = answer([...cleaned, fallen], { nodes });
    assert.deepEqual(result.targets, ['node-17']);
    assert.deepEqual(result.told, []);
  });

  test('an ambiguous Xid alone names neither its node nor lists it', () => {
    const result = answer([xid(109, 'node-02', -10, { strength: 'S4' })]);
    assert.deepEqual([result.targets, result.told], [[], []]);
  });

  test('an ambiguous Xid goes with a strong one of the same device, and not with another device', () => {
    const strong = xid(48, 'node-02', -11, { category: 'accelerator_memory' });
    const same = answer([strong, xid(109, 'node-02', -10, { strength: 'S4' })]);
    assert.deepEqual(rolesOf(same.symptoms, 'xid-109'), ['cascade']);
    const other = answer([strong, xid(109, 'node-02', -10, { strength: 'S4', device: '0000:1b:00' })]);
    assert.deepEqual(rolesOf(other.symptoms, 'xid-109'), ['unknown']);
  });

  test('page faults on several GPUs are the program', () => {
    const faults = ['node-01', 'node-02', 'node-03'].map(node =>
      xid(31, node, -10, { strength: 'S4', blames: 'job', category: 'application_error', status: 'test' }),
    );
    const result = answer(faults);
    assert.deepEqual(result.targets, ['job']);
    assert.deepEqual(result.categories, ['application_error']);
  });

  test('an illegal access on one rank alone is of the job, not of the node', () => {
    const illegal = traceback(-10, { rank: 3, strength: 'S4' });
    const result = answer([placement(3, 'node-02'), illegal]);
    assert.deepEqual(result.targets, ['job']);
  });

  test('errors that a device may make as well need something local to nodes to have been read', () => {
    const illegal = { ...traceback(-10, { rank: 3, strength: 'S4' }), rule: 'cuda/illegal-memory-access' };
    assert.deepEqual(answer([illegal]).targets, ['job']);
    const blind = answer([illegal], { coverage: [coverage('job', '')] });
    assert.deepEqual(blind.targets, []);
    assert.equal(blind.problem?.type, 'insufficient_telemetry');
  });

  test('a corrected memory error is no fault', () => {
    const corrected = xid(63, 'node-02', -30, { strength: 'S6', ruleRole: 'confirmation', blames: 'nobody' });
    const result = answer([corrected, traceback(-2)]);
    assert.deepEqual(result.targets, ['job']);
    assert.deepEqual(result.told, []);
  });

  test('a metric about an Xid does not outrank a kernel log without it', () => {
    const gauge = xid(79, 'node-02', -30, { origin: 'exporter' });
    assert.deepEqual(answer([gauge]).targets, []);
    assert.deepEqual(answer([gauge], { coverage: [coverage('exporter', 'node-02')] }).targets, ['node-02']);
  });
});

describe('the fault lies where the failure began', () => {
  test('a stuck collective began when it started, not when it was reported', () => {
    const fallen = xid(79, 'node-03', -605);
    const late = xid(62, 'node-01', -2);
    const result = answer([...[0, 1, 2].map(rank => watchdog(rank, -4)), fallen, late]);
    assert.deepEqual(result.targets, ['node-03']);
    assert.deepEqual(result.told, ['node-01']);
  });

  test('a strong symptom long after the collective got stuck names nobody', () => {
    const result = answer([watchdog(0, -4), watchdog(1, -4), xid(62, 'node-01', -2)]);
    assert.deepEqual(result.targets, []);
    assert.deepEqual(result.told, ['node-01']);
  });

  test('what follows the first fault on other nodes is not named with it', () => {
    const result = answer([xid(79, 'node-03', -30), linkDown('node-01', -29), linkDown('node-02', -28)]);
    assert.deepEqual(result.targets, ['node-03']);
    assert.deepEqual(result.told, []);
  });

  test('independent strong faults of one moment are both named', () => {
    const result = answer([xid(79, 'node-03', -30), xid(48, 'node-01', -29.5)]);
    assert.deepEqual(result.targets, ['node-01', 'node-03']);
  });

  test('where the order is unknown the stronger one is named', () => {
    const result = answer([linkDown('node-01', null), xid(79, 'node-03', null)]);
    assert.deepEqual(result.targets, ['node-03']);
    const skewed = answer([linkDown('node-01', -40, { plusMinusMs: 60_000 }), xid(79, 'node-03', -30)]);
    assert.deepEqual(skewed.targets, ['node-03']);
    assert.deepEqual(skewed.told, []);
  });

  test('a weaker symptom that certainly came first is told, not named', () => {
    const result = answer([linkDown('node-01', -100), xid(79, 'node-03', -30)]);
    assert.deepEqual(result.targets, ['node-03']);
    assert.deepEqual(result.told, ['node-01']);
  });
});

describe('many nodes with one symptom share one cause', () => {
  test('a fabric event on four nodes names none of them', () => {
    const nodes = nodesNamed(8);
    const events = nodes.slice(0, 4).map((node, at) => linkDown(node, -20 + at));
    const result = answer(events, { nodes });
    assert.deepEqual(result.targets, ['job']);
    assert.deepEqual(result.categories, ['network_fabric']);
    assert.deepEqual(result.told, []);
  });

  test('two of eight nodes are not many, both of two are all', () => {
    const full = ['node-01', 'node-02'].map(node =>
      symptom({ symptom: 'disk-full', node, at: -20, strength: 'S3', category: 'storage_local' }),
    );
    assert.deepEqual(answer(full, { nodes: nodesNamed(8) }).targets, ['node-01', 'node-02']);
    assert.deepEqual(answer(full, { nodes: nodesNamed(2) }).targets, ['job']);
  });

  test('unless one node had a strong symptom of its own before', () => {
    const nodes = nodesNamed(8);
    const events = nodes.slice(0, 4).map((node, at) => linkDown(node, -20 + at));
    const before = answer([xid(79, 'node-02', -25), ...events], { nodes });
    assert.deepEqual(before.targets, ['node-02']);
    const after = answer([xid(79, 'node-02', -5), ...events], { nodes });
    assert.deepEqual(after.targets, ['job']);
    assert.deepEqual(after.told, ['node-02']);
  });

  test('a job that loses every node at once lost something they share', () => {
    const nodes = nodesNamed(4);
    const lost = nodes.map(node => symptom({ symptom: 'node-fail', node, at: -10, category: 'node_lost' }));
    assert.deepEqual(answer(lost, { nodes }).targets, ['job']);
    assert.deepEqual(answer(lost.slice(0, 3), { nodes }).targets, nodes.slice(0, 3));
  });

  test('more nodes than the limit are never named', () => {
    const nodes = nodesNamed(40);
    const broken = nodes.slice(0, 17).map(node => xid(79, node, -10));
    assert.deepEqual(answer(broken.slice(0, 16), { nodes }).findings.length, 16);
    assert.deepEqual(answer(broken, { nodes }).targets, ['job']);
    const mixed = [...broken.slice(1), xid(48, 'node-01', -10, { category: 'accelerator_memory' })];
    const result = answer(mixed, { nodes });
    assert.deepEqual(result.targets, []);
    assert.equal(result.told.length, 17);
  });

  test('one node alone that complains of shared storage proves nothing', () => {
    const stuck = (node: string) =>
      symptom({
        symptom: 'nfs-stuck',
        node,
        at: -30,
        strength: 'S3',
        blames: 'job',
        category: 'storage_shared',
      });
    assert.deepEqual(answer([stuck('node-01')]).targets, []);
    const both = answer([stuck('node-01'), stuck('node-02')]);
    assert.deepEqual([both.targets, both.categories], [['job'], ['storage_shared']]);
  });
});

describe('victims, however many, name nobody', () => {
  const world = { captures: { world_size: '4' } };
  const all = [0, 1, 2, 3].map(rank => watchdog(rank, -4));

  test('the first to report is not the culprit', () => {
    const result = answer([watchdog(2, -4.1), ...all]);
    assert.deepEqual(result.targets, []);
    assert.equal(result.problem, null);
  });

  test('without anything local to nodes that is too little telemetry', () => {
    const result = answer(all, {
      coverage: [coverage('job', ''), coverage('kernel', 'node-[01-04]', 'failed')],
    });
    assert.deepEqual(result.targets, []);
    assert.equal(result.problem?.type, 'insufficient_telemetry');
  });

  test('all ranks stuck at one number are a finding of the job where nodes were read', () => {
    const stuck = [placement(0, 'node-01', world), ...all];
    const result = answer(stuck);
    assert.deepEqual([result.targets, result.categories], [['job'], ['collective_timeout']]);
    assert.deepEqual(answer(stuck, { coverage: [coverage('job', '')] }).targets, []);
    assert.deepEqual(answer(stuck.slice(0, 4)).targets, [], 'one rank is silent');
    const behind = [...stuck.slice(0, 4), watchdog(3, -4, { captures: { sequence: '41' } })];
    assert.deepEqual(answer(behind).targets, [], 'one rank is at another number');
    assert.deepEqual(answer([...stuck, linkDown('node-02', -2)]).targets, [], 'a node shows something strong');
  });

  test('different operations at one number are the program', () => {
    const gather = watchdog(3, -4, { captures: { operation: 'ALLGATHER' } });
    const result = answer([watchdog(0, -4), watchdog(1, -4), gather]);
    assert.deepEqual([result.targets, result.categories], [['job'], ['application_error']]);
    const otherGroup = watchdog(3, -4, { captures: { operation: 'ALLGATHER', group: '3' } });
    assert.deepEqual(answer([watchdog(0, -4), watchdog(1, -4), otherGroup]).targets, []);
  });
});

describe('what excuses a node', () => {
  const drain = (at: number, rest = {}) =>
    symptom({
      symptom: 'drained',
      node: 'node-02',
      at,
      origin: 'scheduler',
      strength: 'S3',
      lasts: true,
      ...rest,
    });

  test('a drain set after the end is a consequence', () => {
    const result = answer([drain(30), traceback(-10)], { jobEnd: 0 });
    assert.deepEqual(result.targets, ['job']);
    assert.deepEqual(rolesOf(result.symptoms, 'drained'), ['teardown']);
    assert.deepEqual(result.told, []);
  });

  test('a planned reboot', () => {
    const planned = symptom({
      symptom: 'reboot-asked-for',
      node: 'node-02',
      at: -60,
      origin: 'scheduler',
      strength: 'S6',
      ruleRole: 'maintenance',
      blames: 'nobody',
    });
    const lost = symptom({
      symptom: 'node-lost',
      node: 'node-02',
      at: -10,
      origin: 'scheduler',
      category: 'node_lost',
    });
    assert.deepEqual(answer([lost]).targets, ['node-02']);
    assert.deepEqual(answer([planned, lost]).targets, []);
    assert.deepEqual(answer([planned, lost]).told, []);
    assert.deepEqual(answer([planned, xid(79, 'node-02', -90), lost]).targets, ['node-02'], 'broken before it');
  });

  test('training that went on after the fault', () => {
    const survived = answer([xid(94, 'node-02', -600), progress(-800, -5)]);
    assert.deepEqual([survived.targets, survived.told], [[], []]);
    assert.deepEqual(answer([xid(94, 'node-02', -7), progress(-800, -5)]).targets, ['node-02']);
    assert.deepEqual(answer([xid(94, 'node-02', -600, { lasts: true }), progress(-800, -5)]).targets, [
      'node-02',
    ]);
  });

  test('a fault before the job began, unless it lasts', () => {
    assert.deepEqual(answer([xid(79, 'node-02', -600)], { jobStart: -300 }).targets, []);
    const missing = answer([xid(79, 'node-02', -600, { lasts: true })], { jobStart: -300 });
    assert.deepEqual(missing.targets, ['node-02']);
  });

  test('a node that is not among those asked about', () => {
    const result = answer([xid(79, 'node-09', -10)]);
    assert.deepEqual([result.targets, result.told], [[], []]);
  });
});

describe('the program or the node', () => {
  test('hardware that broke first made the program fail', () => {
    const result = answer([xid(79, 'node-02', -10), traceback(-9)]);
    assert.deepEqual(result.targets, ['node-02']);
    assert.deepEqual(rolesOf(result.symptoms, 'traceback'), ['cascade']);
  });

  test('an undated traceback does not outrun hardware', () => {
    assert.deepEqual(answer([xid(79, 'node-02', -10), traceback(null)]).targets, ['node-02']);
  });

  test('a program that clearly failed first was not broken by hardware', () => {
    const result = answer([traceback(-100), xid(79, 'node-02', -10)]);
    assert.deepEqual(result.targets, ['job']);
    assert.deepEqual(result.told, ['node-02']);
  });

  test('a scheduler notices a lost node minutes late', () => {
    const lost = symptom({
      symptom: 'node-lost',
      node: 'node-02',
      at: -10,
      origin: 'scheduler',
      category: 'node_lost',
    });
    assert.deepEqual(answer([traceback(-200), lost]).targets, ['node-02']);
    assert.deepEqual(answer([traceback(-800), lost]).targets, ['job']);
  });

  test('a health check after the end names the node of an ambiguous error, and yields to a decisive one', () => {
    const failed = symptom({ symptom: 'gpu-lost', node: 'node-02', at: 60, origin: 'health', strength: 'S2' });
    const context = { jobEnd: 0, epilog: [0, 300], window: [-900, 120] } as const;
    assert.deepEqual(answer([failed], context).targets, ['node-02']);
    const illegal = { ...traceback(-10, { strength: 'S4' }), rule: 'cuda/illegal-memory-access' };
    assert.deepEqual(answer([failed, illegal], context).targets, ['node-02']);
    assert.deepEqual(answer([failed, traceback(-10)], context).targets, ['job']);
  });
});
