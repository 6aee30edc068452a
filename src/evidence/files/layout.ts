import type { Origin } from '../../core/batch.ts';

/** Folders that say by their name what their files are; the same names as in a recorded case. */
export const layoutFolders = {
  kernel: 'kernel',
  job: 'job',
  scheduler: 'scheduler',
  epilog: 'health',
  metrics: 'exporter',
} as const satisfies Readonly<Record<string, Origin>>;

/** What a place on disk says of the files in it: an origin, or nothing. */
export type Place = Origin | 'loose';

export function placeOfFolder(name: string): Origin | null {
  return Object.hasOwn(layoutFolders, name) ? layoutFolders[name as keyof typeof layoutFolders] : null;
}

/** Origins whose files belong to a node each. */
export function isByNode(place: Place): boolean {
  return place === 'kernel' || place === 'health';
}
