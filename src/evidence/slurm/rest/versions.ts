import { type Told, trouble } from '../../log-store/log-store.ts';
import { member } from './values.ts';

/** Paths of one server, each of the newest version that both sides know. */
export interface RestPaths {
  readonly job: string;
  readonly nodes: string;
  readonly node: string;
  readonly reservations: string;
  /** Null where the server has no accounting. */
  readonly accounting: string | null;
  readonly version: string;
}

/** Versions whose answers are understood. */
const oldestVersion = 38;
const newestVersion = 46;

/**
 * Chooses among the paths that a server lists: the newest version up to the newest known. Where all are newer than
 * that, the oldest of them, whose answers differ least.
 */
export function choosePaths(openapi: unknown, wanted: string | null): Told<RestPaths> {
  const listed = member(openapi, 'paths');
  const paths = typeof listed === 'object' && listed !== null ? Object.keys(listed) : [];
  const controller = versionsOf(paths, 'slurm', 'job/{job_id}');
  const version = choose(controller, wanted);
  if (version === null) {
    const offered = controller.map(number => `v0.0.${number}`).join(', ');
    return trouble(
      'failed',
      wanted === null
        ? 'the server lists no version of its interface'
        : `the server does not have the version ${wanted} (apiVersion): it has ${offered || 'none'}`,
    );
  }
  const accounting = choose(versionsOf(paths, 'slurmdb', 'job/{job_id}'), wanted);
  const below = `/slurm/v0.0.${version}`;
  // Newer servers list these with a slash at their end, older ones without.
  const ending = (path: string): string => (paths.includes(`${path}/`) ? `${path}/` : path);
  return {
    ok: true,
    value: {
      version: `v0.0.${version}`,
      job: `${below}/job`,
      node: `${below}/node`,
      nodes: ending(`${below}/nodes`),
      reservations: ending(`${below}/reservations`),
      accounting: accounting === null ? null : `/slurmdb/v0.0.${accounting}/job`,
    },
  };
}

function versionsOf(paths: readonly string[], root: string, end: string): readonly number[] {
  const found = paths.flatMap(path => {
    const match = /^\/(slurm|slurmdb)\/v0\.0\.(\d{1,4})\/(.+)$/.exec(path);
    return match?.[1] === root && match[3] === end ? [Number(match[2])] : [];
  });
  return [...new Set(found)].sort((a, b) => a - b);
}

function choose(versions: readonly number[], wanted: string | null): number | null {
  if (wanted !== null) return versions.find(version => `v0.0.${version}` === wanted) ?? null;
  const known = versions.filter(version => version >= oldestVersion && version <= newestVersion);
  return known.at(-1) ?? versions.find(version => version > newestVersion) ?? versions.at(-1) ?? null;
}
