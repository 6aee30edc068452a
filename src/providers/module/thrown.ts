/** What code that is not ours threw, read with care: anything can be thrown, and its members may throw again. */
export interface Thrown {
  readonly name: string;
  /** Its first line; never empty. */
  readonly message: string;
  /** Lines of its stack, without the message. */
  readonly frames: readonly string[];
}

const longestMessage = 300;
const mostFrames = 8;

export function tellThrown(error: unknown): Thrown {
  try {
    if (typeof error !== 'object' || error === null) return told(typeof error, String(error), '');
    const { name, message, stack } = error as Readonly<Record<string, unknown>>;
    if (typeof message !== 'string') return noError;
    return told(
      typeof name === 'string' ? name : 'Error',
      message,
      typeof stack === 'string' ? stack.slice(0, 64 * 1024) : '',
    );
  } catch {
    return noError;
  }
}

const noError: Thrown = { name: 'object', message: 'something was thrown that is no Error', frames: [] };

function told(name: string, message: string, stack: string): Thrown {
  const line = message.split(/[\r\n]/, 1)[0]?.slice(0, longestMessage) ?? '';
  const frames = stack
    .split('\n')
    .filter(each => each.startsWith('    at '))
    .slice(0, mostFrames)
    .map(each => each.trim());
  return { name: name.slice(0, 100), message: line === '' ? 'it says nothing more' : line, frames };
}

/** The same as an Error of this thread, for those who log one. */
export function errorOf({ name, message, frames }: Thrown): Error {
  const error = new Error(message);
  error.name = name;
  error.stack = [`${name}: ${message}`, ...frames.map(frame => `    ${frame}`)].join('\n');
  return error;
}
