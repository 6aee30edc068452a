import { readAttribution, readAttributorCreated } from '../../../src/contract/dialect/index.ts';
import { readResponse } from '../../../src/contract/read-response.ts';
import { StartupError } from '../../../src/core/errors.ts';
import { remoteFindings } from '../../../src/providers/fact/remote-findings.ts';
import { readOutcome } from '../../../src/providers/read-outcome.ts';
import { readExpected } from '../../../src/providers/replay/read-expected.ts';
import { createRedactor } from '../../../src/redaction/redactor.ts';
import { type FuzzedParser, jsonReader, owes, textParser } from '../fuzzed-parser.ts';

const redact = createRedactor({ enabled: true, userNames: [] });

/** Answers of other services and providers, recorded ones, and what any text goes through on its way out. */
export const answerParsers: readonly FuzzedParser[] = [
  textParser('response', text => readResponse(text) !== null || text.startsWith('{"service_id"'), 'json'),
  jsonReader('dialect-answer', value => {
    readAttributorCreated(value);
    const answer = readAttribution(value);
    if (answer === null) return false;
    for (const { evidence } of remoteFindings(answer)) {
      owes(evidence.length > 0 && evidence.length <= 50, 'a finding has evidence, and not too much');
    }
    return true;
  }),
  jsonReader('provider-outcome', value => {
    const read = readOutcome(value);
    if (!read.ok) owes(read.problem.length < 1_000, 'a problem is bounded');
    return read.ok || !/^outcome: /.test(read.problem);
  }),
  textParser(
    'recorded-case',
    text => {
      try {
        readExpected('expected.json', text);
        return true;
      } catch (error) {
        if (error instanceof StartupError) return !error.message.includes('is no JSON');
        throw error;
      }
    },
    'json',
  ),
  textParser('redaction', text => {
    const left = redact(text);
    owes(redact(text) === left, 'the same text is redacted alike');
    owes(left.length <= 12 * text.length + 100, 'what is left is bounded by what was given');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
    owes(!/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/.test(left), 'no control character leaves');
    return left !== text;
  }),
];
