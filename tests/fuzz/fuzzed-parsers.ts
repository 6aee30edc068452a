import type { FuzzedParser } from './fuzzed-parser.ts';
import { answerParsers } from './parsers/answers.ts';
import { archiveParsers } from './parsers/archives.ts';
import { healthParsers } from './parsers/health.ts';
import { lineParsers } from './parsers/lines.ts';
import { operatorParsers } from './parsers/operators.ts';
import { requestParsers } from './parsers/requests.ts';
import { schedulerParsers } from './parsers/scheduler.ts';
import { storeParsers } from './parsers/stores.ts';

/** Every parser that meets bytes from outside. */
export const fuzzedParsers: readonly FuzzedParser[] = [
  ...requestParsers,
  ...lineParsers,
  ...schedulerParsers,
  ...storeParsers,
  ...healthParsers,
  ...operatorParsers,
  ...archiveParsers,
  ...answerParsers,
];
