import type { Clock, SourceCheck } from '../../core/ports.ts';
import { hours } from '../asked.ts';
import { fail, firstAnswer, pass, warn } from '../checks.ts';
import type { RunCommand } from '../command/run-command.ts';
import { hostsOf, readJournal } from './journalctl.ts';
import type { Journal, JournaldSettings } from './settings.ts';

const dayHours = 24;

/** Whether journals can be read, whose they are, and whether they hold kernel messages of the last day. */
export async function examineJournals(
  settings: JournaldSettings,
  clock: Clock,
  run: RunCommand,
  signal: AbortSignal,
): Promise<readonly SourceCheck[]> {
  const checks = await Promise.all(
    settings.journals.map(each => examineJournal(settings, each, clock, run, signal)),
  );
  return checks.flat();
}

async function examineJournal(
  settings: JournaldSettings,
  journal: Journal,
  clock: Clock,
  run: RunCommand,
  signal: AbortSignal,
): Promise<readonly SourceCheck[]> {
  const name = journal.kind === 'local' ? "this machine's journal" : journal.path;
  const { told, check } = await firstAnswer(clock, () => hostsOf(settings, journal, run, signal));
  const answered = { ...check, says: `${name}: ${check.says}` };
  if (!told.ok) return [answered];
  if (told.value.length === 0) {
    const remedy = 'set Storage=persistent in journald.conf, and let this user read it (group systemd-journal)';
    return [answered, fail(`${name}: holds no entry that can be read`, remedy)];
  }
  const now = clock.now();
  const read = await readJournal(settings, journal, { from: now - hours(dayHours), to: now }, run, signal);
  if (!read.ok) return [answered, fail(`${name}: ${read.trouble.reason}`)];
  const lines = [...read.value.byHost.values()].reduce((sum, host) => sum + host.lines.length, 0);
  const says = `${name}: entries of ${told.value.length} hosts, ${lines} of the kernel in the last ${dayHours} h`;
  return [answered, lines > 0 ? pass(says) : warn(says, 'check that its machines still send their journals')];
}
