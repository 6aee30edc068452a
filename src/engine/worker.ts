import { constants, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import type { Corpus } from './corpus/corpus.ts';
import { createRecognizer } from './recognize/recognizer.ts';
import type { LineJob, WorkerMessage } from './worker-messages.ts';

/** Entry of a recognition worker: compiles the corpus it is started with, then answers batches until it is ended. */
if (parentPort === null) throw new Error('a recognition worker runs only as a worker thread');
const port = parentPort;
if (process.platform === 'linux') yieldToTheService();
const recognizer = createRecognizer(workerData as Corpus);

port.on('message', (job: LineJob) => {
  const hits = recognizer.recognize(job, job.skip);
  const { buffer } = job.bytes;
  const message: WorkerMessage = { kind: 'done', id: job.id, hits, buffer };
  port.postMessage(message, [buffer]);
});
const ready: WorkerMessage = { kind: 'ready' };
port.postMessage(ready);

/** On Linux a priority belongs to the thread: the one that answers callers comes before those that search. */
function yieldToTheService(): void {
  try {
    setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // A container may forbid it; then all threads share alike.
  }
}
