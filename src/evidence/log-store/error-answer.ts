import { saysTimeout } from '../http-client/failure.ts';
import { type Told, trouble } from './log-store.ts';

/** Trouble that a server tells of in an answer with status 200, without its words; else that the form is not known. */
export function noAnswer(answer: unknown): { readonly ok: false } & Told<never> {
  const members = typeof answer === 'object' && answer !== null ? (answer as Record<string, unknown>) : {};
  if (members['status'] !== 'error') {
    return trouble('failed', 'the server answered in a form that is not known');
  }
  const words = [members['errorType'], members['error'], members['message']].filter(
    word => typeof word === 'string',
  );
  return saysTimeout(words.join(' ')) || members['errorType'] === 'timeout'
    ? trouble('timed_out', 'the server could not execute the query in its own time limit')
    : trouble('failed', 'the server answered with an error in place of data');
}

/** Whether an answer comes with warnings that speak of its data; those in `harmless` speak of the query. */
export function isWarned(answer: unknown, harmless: RegExp | null): boolean {
  const members = typeof answer === 'object' && answer !== null ? (answer as Record<string, unknown>) : {};
  const { warnings } = members;
  if (members['isPartial'] === true) return true;
  return (
    Array.isArray(warnings) &&
    warnings.some(text => typeof text === 'string' && text !== '' && harmless?.test(text) !== true)
  );
}
