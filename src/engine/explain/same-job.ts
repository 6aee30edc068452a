/** `4242`, and `4242.0` or `4242_7` as its step or array task. */
export function isSameJob(job: string, workloadId: string): boolean {
  return job === workloadId || job.startsWith(`${workloadId}.`) || job.startsWith(`${workloadId}_`);
}
