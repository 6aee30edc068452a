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

function plain(fileName: string): string {
  let name = fileName.toLowerCase();
  while (added.test(name)) name = name.replace(added, '');
  return name;
}
