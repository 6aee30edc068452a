/** What packing and rotation add to a name. */
const added = /\.(?:gz|zst|zstd|xz|bz2|zip|old|\d{1,3}|\d{8})$/;
/** `slurm-123.out`, `stdout.log`, `stderr_3`, `nohup.out`, `job.log`, and PBS's `train.o123`. */
const unmistakable = /^(?:slurm-\d|stdout|stderr|nohup\.out$|job\.(?:out|err|log)$)|\.[oe]\d+$/;
/** `train.out`, `node_0.stderr.log`, `rank7.log`, `job-123.log`, `output.log`. */
const usual = /\.(?:out|err)$|[-_.](?:stdout|stderr)(?:[-_.]|$)|^(?:rank|job|output)(?:[-_.\d]|$)/;
const folders: ReadonlySet<string> = new Set(['job', 'jobs', 'stdout', 'stderr', 'output', 'outputs']);

/**
 * Whether a file is named as nothing but a job's own output is, so that no place lends it trust: whoever collects logs
 * may put it beside those of a node.
 */
export function isSurelyJobOutput(fileName: string): boolean {
  return unmistakable.test(plain(fileName));
}

/** Whether a file that lies about is named as a job's output usually is. */
export function isNamedAsJobOutput(fileName: string): boolean {
  const name = plain(fileName);
  return unmistakable.test(name) || usual.test(name);
}

/** Whether a folder is named as one that holds a job's output. */
export function isJobFolder(name: string): boolean {
  return folders.has(name.toLowerCase());
}

/**
 * The job that output is named after: `slurm-123.out`, `slurm-123_4.out`, `job-123.log`, `train-12345.out`. A bare
 * number (`123.out`) may be a rank's, and counts where there is no other output (`alone`). Null: it names none.
 */
export function jobOfOutput(fileName: string, alone: boolean): string | null {
  const name = plain(fileName);
  const named = /^(?:slurm|job)[-_.]?(\d+)(?:[_.]\d+)*\.(?:out|err|log)$/.exec(name);
  const suffixed = /[-_.](\d{5,})\.(?:out|err)$/.exec(name);
  const bare = alone ? /^(\d+)\.(?:out|err)$/.exec(name) : null;
  return (named ?? suffixed ?? bare)?.[1] ?? null;
}

function plain(fileName: string): string {
  let name = fileName.toLowerCase();
  while (added.test(name)) name = name.replace(added, '');
  return name;
}
