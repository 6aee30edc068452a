import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answer } from '../../../tests/support/reasoning.ts';
import {
  nodesNamed,
  placement,
  secondsFromFailure,
  symptom,
  traceback,
  xid,
} from '../../../tests/support/symptoms.ts';

const messages = (result: ReturnType<typeof answer>, kind?: string) =>
  result.findings.flatMap(({ evidence }) =>
    evidence.filter(item => kind === undefined || item.kind === kind).map(({ message }) => message),
  );

test('one finding for each node, in the order of the nodes asked about', () => {
  const nodes = ['node-03', 'node-01', 'node-02'];
  const result = answer([xid(79, 'node-01', -10), xid(48, 'node-01', -10), xid(79, 'node-03', -10)], { nodes });
  assert.deepEqual(result.targets, ['node-03', 'node-01']);
});

test('the time is the earliest of what accuses, and every citation has its place', () => {
  const [finding] = answer([xid(79, 'node-01', -10, { until: -5 }), xid(48, 'node-01', -12)]).findings;
  assert.equal(finding?.observedAt, secondsFromFailure(-12));
  for (const item of finding?.evidence ?? []) assert.equal(item.reference === null, item.kind === 'note');
});

test('the most telling line first: strong before weak, kernel before metrics and job text', () => {
  const result = answer([
    symptom({ symptom: 'link-down', node: 'node-01', at: -12, strength: 'S3' }),
    symptom({ symptom: 'gauge', node: 'node-01', at: -14, origin: 'exporter' }),
    xid(79, 'node-01', -10),
    xid(154, 'node-01', -9, { strength: 'S6', ruleRole: 'confirmation', blames: 'nobody' }),
  ]);
  assert.deepEqual(messages(result).slice(0, 4), [
    'xid-79 seen',
    'gauge seen',
    'link-down seen',
    'xid-154 seen',
  ]);
});

test('consequences are counted, those of consequences too, and not quoted', () => {
  const nodes = nodesNamed(8);
  const root = xid(79, 'node-01', -10, { inhibits: [{ symptoms: ['a'], scope: 'job', withinSeconds: 60 }] });
  const victim = { ruleRole: 'victim', blames: 'nobody', strength: 'S5', at: -9, origin: 'job' } as const;
  const a = symptom({
    ...victim,
    symptom: 'a',
    node: 'node-02',
    count: 40,
    inhibits: [{ symptoms: ['b'], scope: 'job', withinSeconds: 60 }],
  });
  const b = symptom({ ...victim, symptom: 'b', node: 'node-03', count: 2 });
  const notes = messages(answer([root, a, b], { nodes }), 'note');
  assert.deepEqual(notes, ['42 lines on 2 nodes told as consequences are left out']);
});

test('evidence has a limit', () => {
  const many = Array.from({ length: 50 }, (_, at) => xid(79, 'node-01', -10, { device: at }));
  assert.equal(answer(many).findings[0]?.evidence.length, 20);
  assert.equal(answer(many, { settings: { maxEvidence: 5 } }).findings[0]?.evidence.length, 5);
});

test('approximate and missing times are told', () => {
  const assumed = messages(answer([xid(79, 'node-01', -10, { basis: 'zone_assumed' })]), 'note');
  assert.ok(assumed.some(message => message.includes('no time zone')));
  const undated = answer([xid(79, 'node-01', null)]);
  assert.equal(undated.findings[0]?.observedAt, null);
  assert.ok(messages(undated, 'note').some(message => message.includes('no line carries a time')));
  assert.deepEqual(messages(answer([xid(79, 'node-01', -10)]), 'note'), []);
});

test('evidence of the job says where each line comes from', () => {
  const [finding] = answer([traceback(-10, { rank: 3 })]).findings;
  assert.equal(finding?.target.type, 'AllJobResources');
  assert.equal(finding?.evidence[0]?.kind, 'job_text');
  assert.equal(finding?.evidence[0]?.source, 'files');
});

test('whether lines place a rank or only the request does is told apart', () => {
  const broken = symptom({
    symptom: 'ecc',
    origin: 'job',
    rank: 3,
    at: -5,
    strength: 'S2',
    category: 'accelerator_memory',
  });
  const notes = (...symptoms: Parameters<typeof answer>[0][number][]) =>
    messages(answer(symptoms, { nodes: ['node-18'], coverage: [] }), 'note');
  assert.ok(notes(broken).includes('no line says where rank 3 ran: node-18 is the one node asked about'));
  const placed = notes(broken, placement(3, 'node-18'));
  assert.ok(placed.includes('rank 3 ran on node-18 alone, as the lines that place it say'));
});
