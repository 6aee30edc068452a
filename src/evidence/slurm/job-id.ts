/** A job as a caller names it: `42`, `42_7` (array task), `42+1` (component), `42.0` or `42_7.batch` (step). */
export interface JobId {
  /** The job, array or heterogeneous job as a whole. */
  readonly base: string;
  /** With task or component, without step: whose rows are wanted. */
  readonly wanted: string;
}

const form =
  /^([0-9]{1,10})((?:_[0-9]{1,10}|\+[0-9]{1,10})?)(?:\.(?:[0-9]{1,10}|batch|extern|interactive)(?:\+[0-9]{1,10})?)?$/;

/** Null where the text is no id of a job: then nothing is asked, since it would follow an option of a command. */
export function parseJobId(text: string): JobId | null {
  const match = form.exec(text);
  const base = match?.[1];
  return base === undefined ? null : { base, wanted: `${base}${match?.[2] ?? ''}` };
}

/** Whether a row's job or step belongs to it: tasks and components do, if none is named. */
export function isWanted({ base, wanted }: JobId, name: string): boolean {
  if (name === wanted || name.startsWith(`${wanted}.`)) return true;
  return wanted === base && (name.startsWith(`${base}_`) || name.startsWith(`${base}+`));
}
