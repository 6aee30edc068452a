import type { Clock, SourceCheck } from '../../../core/ports.ts';
import { compressHostList } from '../../../lines/host-list.ts';
import { parseSacct } from '../../../lines/slurm/sacct.ts';
import { parseScontrol } from '../../../lines/slurm/scontrol.ts';
import type { StateTable } from '../../../lines/slurm/state-table.ts';
import { fail, firstAnswer } from '../../checks.ts';
import { type CommandOutput, nameOf, type RunCommand } from '../../command/run-command.ts';
import { type Told as Asked, type Trouble, trouble } from '../../log-store/log-store.ts';
import { worse } from '../../log-store/read-selection.ts';
import { isWanted, type JobId } from '../job-id.ts';
import { schedulerDating } from '../record-rows.ts';
import { besides, type Facts, nothingTold, type Scheduler } from '../scheduler.ts';
import { nameAsAccounted } from './job-names.ts';
import { parseReservations } from './reservations.ts';

export interface SlurmCommands {
  /** Argument vectors: program and what always follows it. */
  readonly sacct: readonly string[] | null;
  readonly scontrol: readonly string[] | null;
}

/** Columns worth asking for; which of them a version has, `sacct -e` tells. */
const columns = [
  'JobID',
  'State',
  'ExitCode',
  'DerivedExitCode',
  'Reason',
  'NodeList',
  'FailedNode',
  'Start',
  'End',
  'Restarts',
  'AdminComment',
  'SystemComment',
];
/** Known to every version. */
const oldColumns = ['JobID', 'State', 'ExitCode', 'DerivedExitCode', 'NodeList', 'Start', 'End'];
/** What is said of a job or node that Slurm does not know. */
const unknown = /Invalid job id|not found|Invalid node name/i;
/** A host list as a parameter; longer ones are cut into several questions. */
const mostListBytes = 60_000;

/** Slurm by `sacct` and `scontrol`, as configured. */
export function createCommandScheduler(
  source: string,
  commands: SlurmCommands,
  run: RunCommand,
  clock: Clock,
): Scheduler {
  const dating = schedulerDating(source);
  let asked: Promise<readonly string[]> | null = null;

  /** Asked once: an unknown column would fail the whole question. */
  const availableColumns = async (
    sacct: readonly string[],
    signal: AbortSignal,
  ): Promise<readonly string[]> => {
    asked ??= run([...sacct, '-e'], signal).then(told => {
      if (!told.ok || told.value.exitCode !== 0) {
        asked = null;
        return oldColumns;
      }
      const offered = new Set(told.value.text.split(/\s+/));
      return columns.filter(column => offered.has(column));
    });
    return asked;
  };
  const ask = async (
    command: readonly string[],
    parse: (text: string) => StateTable,
    signal: AbortSignal,
  ): Promise<Answered> => {
    const told = judged(command, await run(command, signal));
    if (!told.ok)
      return { facts: { query: shown(command), rows: [] }, bytes: 0, unread: 0, trouble: told.trouble };
    const { rows, unread } = parse(told.value.text);
    const facts = { query: shown(command), rows };
    return { facts, bytes: told.value.bytes, unread, trouble: null };
  };
  const accounting = async (id: JobId, signal: AbortSignal): Promise<Answered | null> => {
    if (commands.sacct === null) return null;
    const format = await availableColumns(commands.sacct, signal);
    const command = [...commands.sacct, '-P', '-j', askable(id), '-o', format.join(',')];
    return ask(command, text => parseSacct(text, dating), signal);
  };
  const controller = async (parameters: readonly string[], signal: AbortSignal): Promise<Answered | null> => {
    if (commands.scontrol === null) return null;
    const parse = (text: string): StateTable => {
      const { rows, unread } = parseScontrol(text, dating);
      return { rows: nameAsAccounted(rows, text), unread };
    };
    return ask([...commands.scontrol, '-o', ...parameters], parse, signal);
  };

  const examineCommand = async (
    command: readonly string[],
    whom: string,
    signal: AbortSignal,
  ): Promise<SourceCheck> => {
    const { check } = await firstAnswer(clock, async () => judged(command, await run(command, signal)));
    const name = nameOf(command[0] ?? '');
    if (check.verdict !== 'fail') return { ...check, says: `${whom} ${check.says} (${name})` };
    return fail(
      `${whom}: ${check.says}`,
      `set commands.${name} to its whole path, and SLURM_CONF in commands.environment`,
    );
  };

  return {
    async job(id, signal) {
      const [stored, live] = await Promise.all([
        accounting(id, signal),
        controller(['-d', 'show', 'job', askable(id)], signal),
      ]);
      return joinJob(id, stored, live);
    },
    async nodes(names, signal) {
      const lists = listsOf(names);
      const answers = await Promise.all(lists.map(list => controller(['show', 'node', list], signal)));
      const told = answers.filter(answer => answer !== null);
      return {
        value: told.map(({ facts }) => facts),
        bytes: told.reduce((sum, { bytes }) => sum + bytes, 0),
        trouble: told.reduce<Trouble | null>((worst, answer) => worse(worst, answer.trouble), null),
        remarks: remarksOn(told),
      };
    },
    async maintenance(signal) {
      if (commands.scontrol === null) return { ...nothingTold, value: { query: '', reservations: [] } };
      const command = [...commands.scontrol, '-o', 'show', 'reservation'];
      const told = judged(command, await run(command, signal));
      const query = shown(command);
      if (!told.ok) return { ...nothingTold, value: { query, reservations: [] }, trouble: told.trouble };
      const reservations = parseReservations(told.value.text, dating);
      return { ...nothingTold, value: { query, reservations }, bytes: told.value.bytes };
    },
    async examine(signal) {
      const { sacct, scontrol } = commands;
      const checks = await Promise.all([
        scontrol === null
          ? null
          : examineCommand([...scontrol, '-o', 'show', 'reservation'], 'the controller', signal),
        sacct === null
          ? null
          : examineCommand([...sacct, '-P', '-j', '1', '-o', 'JobID'], 'the accounting', signal),
      ]);
      return checks.filter(check => check !== null);
    },
    close: () => Promise.resolve(),
  };
}

interface Answered {
  readonly facts: Facts;
  readonly bytes: number;
  /** Lines or values that could not be read safely. */
  readonly unread: number;
  readonly trouble: Trouble | null;
}

/** `sacct` takes tasks by name; components are found below their job. */
function askable({ base, wanted }: JobId): string {
  return wanted.includes('_') ? wanted : base;
}

function shown([program = '', ...parameters]: readonly string[]): string {
  return [nameOf(program), ...parameters].join(' ');
}

/** A command that fails because Slurm does not know what was asked for has answered; what it printed besides counts. */
function judged(command: readonly string[], told: Asked<CommandOutput>): Asked<CommandOutput> {
  if (!told.ok || (told.value.complete && told.value.exitCode === 0)) return told;
  const { exitCode, complaint, text, complete, bytes } = told.value;
  if (!complete) return trouble('truncated', `${nameOf(command[0] ?? '')} printed more than ${bytes} bytes`);
  if (unknown.test(complaint) || unknown.test(text.slice(-200))) return told;
  const program = nameOf(command[0] ?? '');
  if (/accounting storage is disabled/i.test(`${complaint}${text}`)) {
    return trouble('failed', `${program}: this cluster keeps no accounting: leave it out of commands`);
  }
  const hint = /contact|connect|timed out|Zero Bytes/i.test(complaint) ? ', and could not reach Slurm' : '';
  return trouble('failed', `${program} ended with exit code ${exitCode ?? 'none (a signal)'}${hint}`);
}

function joinJob(
  id: JobId,
  stored: Answered | null,
  live: Answered | null,
): Awaited<ReturnType<Scheduler['job']>> {
  const kept = (answer: Answered | null): readonly Facts[] =>
    answer === null ? [] : [{ ...answer.facts, rows: answer.facts.rows.filter(row => isWanted(id, row.name)) }];
  const first = kept(stored);
  const second = kept(live);
  const value = [...first, ...besides(first, second)].filter(({ rows }) => rows.length > 0);
  const told = [stored, live].filter(answer => answer !== null);
  const broken = told.reduce<Trouble | null>((worst, answer) => worse(worst, answer.trouble), null);
  const partly = value.length > 0 && broken !== null;
  return {
    value,
    bytes: told.reduce((sum, { bytes }) => sum + bytes, 0),
    // One of the two suffices: the controller forgets jobs, and the accounting may be down.
    trouble: value.length > 0 ? null : broken,
    remarks: [
      ...remarksOn(told),
      ...(partly ? [`part of what Slurm knows of the job is missing: ${broken.reason}`] : []),
    ],
  };
}

function remarksOn(answers: readonly Answered[]): readonly string[] {
  const unread = answers.reduce((sum, answer) => sum + answer.unread, 0);
  return unread === 0 ? [] : [`${unread} lines or values of Slurm could not be read safely`];
}

function listsOf(names: readonly string[]): readonly string[] {
  const list = compressHostList(names);
  if (list.length <= mostListBytes || names.length < 2) return [list];
  const middle = Math.ceil(names.length / 2);
  return [...listsOf(names.slice(0, middle)), ...listsOf(names.slice(middle))];
}
