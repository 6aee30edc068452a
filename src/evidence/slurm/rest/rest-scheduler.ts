import type { Clock, SourceCheck } from '../../../core/ports.ts';
import type { LineDating } from '../../../lines/line.ts';
import { fail, firstAnswer, pass, warn } from '../../checks.ts';
import { coverageStatusOf } from '../../http-client/failure.ts';
import type { HttpClient } from '../../http-client/http-client.ts';
import { type Told as Asked, type Trouble, trouble } from '../../log-store/log-store.ts';
import { worse } from '../../log-store/read-selection.ts';
import { isWanted, type JobId } from '../job-id.ts';
import { schedulerDating } from '../record-rows.ts';
import { besides, type Facts, nothingTold, type Scheduler, type Told } from '../scheduler.ts';
import { accountingRows, liveJobRows } from './job-rows.ts';
import { maintenanceOf, nodeRows } from './node-rows.ts';
import { listOf, member, numberOf } from './values.ts';
import { choosePaths, type RestPaths } from './versions.ts';

/** Up to so many nodes are asked for one by one. */
const mostSingleNodes = 16;
/** Statuses under which slurmrestd says that it does not know a job or node. */
const answerStatuses = [404, 500];
/** Errors of Slurm that say no more than that: none, invalid job, invalid node, empty result. */
const unknownErrors: ReadonlySet<number> = new Set([0, 2017, 2018, 9003]);

/** Slurm by slurmrestd. */
export function createRestScheduler(
  source: string,
  apiVersion: string | null,
  client: HttpClient,
  clock: Clock,
): Scheduler {
  const dating = schedulerDating(source);
  let known: RestPaths | null = null;

  const get = async (path: string, signal: AbortSignal): Promise<Asked<{ value: unknown; bytes: number }>> => {
    const answer = await client.send({ method: 'GET', path, expected: 'json', answerStatuses }, signal);
    if (answer.ok) return { ok: true, value: answer };
    return trouble(coverageStatusOf(answer.failure), `slurmrestd ${answer.failure.message}`);
  };
  /** The versions a server has stay the same until it is replaced; then old paths are not found. */
  const paths = async (signal: AbortSignal): Promise<Asked<RestPaths>> => {
    if (known !== null) return { ok: true, value: known };
    const told = await get('/openapi/v3', signal);
    if (!told.ok) return told;
    const chosen = choosePaths(told.value.value, apiVersion);
    if (chosen.ok) known = chosen.value;
    return chosen;
  };
  const list = async (path: string, name: string, signal: AbortSignal): Promise<Listed> => {
    const told = await get(path, signal);
    if (!told.ok) {
      known = null;
      return { items: [], bytes: 0, trouble: told.trouble };
    }
    const { value, bytes } = told.value;
    const items = listOf(member(value, name));
    return { items, bytes, trouble: errorOf(value, items.length > 0) };
  };

  return {
    async job(id, signal) {
      const chosen = await paths(signal);
      if (!chosen.ok) return { ...nothingTold, value: [], trouble: chosen.trouble };
      const { job, accounting } = chosen.value;
      const [stored, live] = await Promise.all([
        accounting === null ? null : list(`${accounting}/${asPath(id)}`, 'jobs', signal),
        list(`${job}/${asPath(id)}`, 'jobs', signal),
      ]);
      return joinJob(id, stored, live, chosen.value, dating);
    },
    async nodes(names, signal) {
      const chosen = await paths(signal);
      if (!chosen.ok) return { ...nothingTold, value: [], trouble: chosen.trouble };
      const { node, nodes } = chosen.value;
      const wanted = new Set(names);
      const urls =
        names.length <= mostSingleNodes ? names.map(name => `${node}/${encodeURIComponent(name)}`) : [nodes];
      const answers = await Promise.all(
        urls.map(async url => ({ url, listed: await list(url, 'nodes', signal) })),
      );
      return {
        value: answers.map(({ url, listed }) => ({
          query: `GET ${url}`,
          rows: nodeRows(listed.items, name => wanted.has(name), dating),
        })),
        bytes: answers.reduce((sum, { listed }) => sum + listed.bytes, 0),
        trouble: answers.reduce<Trouble | null>((worst, { listed }) => worse(worst, listed.trouble), null),
        remarks: [],
      };
    },
    async maintenance(signal) {
      const chosen = await paths(signal);
      if (!chosen.ok) {
        return { ...nothingTold, value: { query: '', reservations: [] }, trouble: chosen.trouble };
      }
      const { reservations } = chosen.value;
      const listed = await list(reservations, 'reservations', signal);
      const value = { query: `GET ${reservations}`, reservations: maintenanceOf(listed.items, dating) };
      return { value, bytes: listed.bytes, trouble: listed.trouble, remarks: [] };
    },
    async examine(signal) {
      known = null;
      const { told, check } = await firstAnswer(clock, () => paths(signal));
      if (!told.ok) return [check];
      const { version, reservations, accounting } = told.value;
      const [live, stored] = await Promise.all([
        list(reservations, 'reservations', signal),
        accounting === null ? null : list(`${accounting}/1`, 'jobs', signal),
      ]);
      return [check, pass(`speaks ${version}`), controllerCheck(live), accountingCheck(stored)];
    },
    close: () => client.close(),
  };
}

function controllerCheck({ trouble: broken }: Listed): SourceCheck {
  if (broken === null) return pass('the controller answers through it');
  return fail(
    `the controller cannot be asked: ${broken.reason}`,
    'make a token anew with scontrol token username=<user> lifespan=<seconds>, and write it to tokenFile',
  );
}

function accountingCheck(stored: Listed | null): SourceCheck {
  if (stored !== null && stored.trouble === null) return pass('the accounting answers through it');
  const remedy =
    stored === null
      ? 'start slurmrestd with the plugins of both: -s openapi/slurmctld,openapi/slurmdbd'
      : 'check slurmdbd, and AuthAltTypes=auth/jwt in slurmdbd.conf';
  const why = stored?.trouble?.reason ?? 'the server does not offer it';
  return warn(`the accounting cannot be asked: ${why}: jobs are unknown some minutes after their end`, remedy);
}

interface Listed {
  readonly items: readonly unknown[];
  readonly bytes: number;
  readonly trouble: Trouble | null;
}

/** Tasks can be asked for by name; components are found below their job. */
function asPath({ base, wanted }: JobId): string {
  return wanted.includes('_') ? wanted : base;
}

function joinJob(
  id: JobId,
  stored: Listed | null,
  live: Listed,
  { job, accounting }: RestPaths,
  dating: LineDating,
): Told<readonly Facts[]> {
  const facts = (path: string, rows: ReturnType<typeof liveJobRows>): readonly Facts[] => [
    { query: `GET ${path}/${asPath(id)}`, rows: rows.filter(row => isWanted(id, row.name)) },
  ];
  const first = stored === null ? [] : facts(accounting ?? '', accountingRows(stored.items, dating));
  const second = facts(job, liveJobRows(live.items, dating));
  const read = [stored, live].filter(listed => listed !== null);
  const someone = read.some(({ items }) => items.length > 0);
  const broken = read.reduce<Trouble | null>((worst, listed) => worse(worst, listed.trouble), null);
  return {
    value: [...first, ...besides(first, second)].filter(({ rows }) => rows.length > 0),
    bytes: read.reduce((sum, { bytes }) => sum + bytes, 0),
    // One of the two suffices: the controller forgets jobs, and the accounting may be down.
    trouble: someone ? null : broken,
    remarks:
      someone && broken !== null ? [`part of what Slurm knows of the job is missing: ${broken.reason}`] : [],
  };
}

/**
 * What an answer says went wrong; to not know a job or node is no trouble, nor is beside content what has no number of
 * Slurm's.
 */
function errorOf(answer: unknown, hasContent: boolean): Trouble | null {
  const numbers = listOf(member(answer, 'errors')).map(
    error =>
      numberOf(member(error, 'error_number')) ?? numberOf(member(error, 'errno')) ?? (hasContent ? 0 : -1),
  );
  const real = numbers.find(number => !unknownErrors.has(number));
  if (real === undefined) return null;
  const hint = real === 1007 || real === -1 ? ': check the token and its user' : '';
  return {
    status: 'failed',
    reason: `slurmrestd answered with an error of Slurm (${real})${hint}`,
    tooMuch: null,
  };
}
