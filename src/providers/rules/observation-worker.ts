// The entry of the thread that takes large observations apart.
import { parentPort } from 'node:worker_threads';
import type { OpenedAnswer, OpenRequest } from './observation-opener.ts';
import { openObservation } from './open-observation.ts';

parentPort?.on('message', ({ id, bytes, trust }: OpenRequest) => {
  const opened = openObservation(bytes, trust);
  const answer: OpenedAnswer = { id, opened };
  parentPort?.postMessage(answer, opened === null ? [] : [opened.stamps.buffer, opened.text.buffer]);
});
