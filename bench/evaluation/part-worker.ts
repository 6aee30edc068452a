import { parentPort, workerData } from 'node:worker_threads';
import { evaluatePart, type PartOfSeed } from './evaluate-part.ts';

/** A thread that answers its part of a seed and hands back what it found. */
parentPort?.postMessage(await evaluatePart(workerData as PartOfSeed));
