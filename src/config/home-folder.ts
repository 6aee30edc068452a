import { homedir } from 'node:os';

/** The user's own folder; null where the system knows none, as for a user id that only a container has. */
export function homeFolder(read: () => string = homedir): string | null {
  try {
    return read();
  } catch {
    return null;
  }
}
