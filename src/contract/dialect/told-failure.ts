const failing: ReadonlySet<string> = new Set([
  ...['error', 'errors', 'exception', 'fail', 'failed', 'fails', 'failure', 'failures', 'timeout', 'timed'],
  ...['unavailable', 'unreachable', 'unable', 'cannot', 'refused', 'denied', 'unauthorized', 'forbidden'],
  ...['crashed', 'aborted', 'invalid', 'overloaded', 'exceeded', 'expired'],
]);
const denying: ReadonlySet<string> = new Set(['no', 'not', 'without', 'zero', '0', 'none', 'never']);
/** What an answer is about may have failed, and the answer be whole. */
const subjects: ReadonlySet<string> = new Set([
  ...['job', 'run', 'workload', 'workflow', 'training', 'attempt', 'step', 'rank', 'ranks'],
]);

/** Whether a text for people says that its sender failed: `internal error`, but not `no errors` or `job failed`. */
export function saysFailure(text: string): boolean {
  const words = text
    .slice(0, 4096)
    .toLowerCase()
    .split(/[^a-z0-9]+/);
  return words.some((word, at) => {
    if (word === 'not') return ['could', 'can', 'did'].includes(words[at - 1] ?? '');
    if (!failing.has(word)) return false;
    const before = words.slice(Math.max(at - 3, 0), at);
    return !before.some(each => denying.has(each)) && !isOfSubject(words, at);
  });
}

function isOfSubject(words: readonly string[], at: number): boolean {
  if (words[at + 1] === 'analysis') return true;
  return [words[at - 2], words[at - 1], words[at + 1]].some(word => subjects.has(word ?? ''));
}
