import { sampleAnswer, sampleSession } from '../../tests/support/sample-session.ts';
import type { StoresAt } from './stores-at.ts';

/** What a writer does with one id, in this order, each acknowledged by itself. */
export const kinds = ['session', 'history', 'answer', 'pushed'] as const;
export type Kind = (typeof kinds)[number];

const moment = 1_788_955_200_000_000_000n;

export async function write({ sessions, history, audit }: StoresAt, kind: Kind, id: string): Promise<void> {
  if (kind === 'session') {
    const session = sampleSession(id);
    await sessions.open(session);
    await sessions.update({ ...session, answers: [sampleAnswer(id)] });
  } else if (kind === 'history') {
    const episode = { cluster: 'unknown', workloadId: id, workflowId: id, attemptIndex: 0 };
    await history.record(episode, [{ ...episode, ...seen, node: id }]);
  } else if (kind === 'answer') {
    await audit.record({ requestId: id, sessionId: id, workloadId: id, at: moment, body: `{"id":"${id}"}` });
  } else await sessions.append(id, Buffer.from(id));
}

const seen = {
  uuid: null,
  pci: '0000:3b:00',
  symptom: 'gpu-fallen-off-bus',
  code: 'xid-79',
  title: 'GPU no longer answers on its bus',
  strength: 'S1',
  alike: 1,
  finding: 'accelerator_gpu',
  at: moment,
} as const;

/** Whether what was acknowledged is there, whole. */
export async function isThere(
  { sessions, history, audit }: StoresAt,
  kind: Kind,
  id: string,
): Promise<boolean> {
  if (kind === 'session') {
    const session = await sessions.get(id, sampleSession(id).binding);
    return session?.answers[0]?.requestId === id;
  }
  if (kind === 'history') {
    const wanted = { cluster: null, nodes: [id], uuids: [], from: 0n, to: moment + 1n, limit: 2 };
    return (await history.find(wanted)).length === 1;
  }
  if (kind === 'answer') return (await audit.find(id, 2)).some(({ body }) => body === `{"id":"${id}"}`);
  const { chunks } = await sessions.unread(id);
  return chunks.length === 1 && Buffer.from(chunks[0] ?? []).toString() === id;
}
