import type { StateRow } from '../../../core/batch.ts';

const opening =
  /^JobId=(\d{1,10})(?: ArrayJobId=(\d{1,10}) ArrayTaskId=(\d{1,10}))?(?: HetJobId=(\d{1,10}) HetJobOffset=(\d{1,10}))? /;

/**
 * Names jobs as `sacct` does. `scontrol -o show job` calls a task or component by a number of its own, and says before
 * the job's name, where no user's text can stand, which one it is.
 */
export function nameAsAccounted(rows: readonly StateRow[], text: string): readonly StateRow[] {
  const names = new Map<string, string>();
  for (const line of text.split('\n')) {
    const [, id, array, task, het, offset] = opening.exec(line) ?? [];
    if (id === undefined) continue;
    if (array !== undefined && task !== undefined) names.set(id, `${array}_${task}`);
    else if (het !== undefined && offset !== undefined) names.set(id, `${het}+${offset}`);
  }
  if (names.size === 0) return rows;
  return rows.map(row => (row.entity === 'job' ? { ...row, name: names.get(row.name) ?? row.name } : row));
}
