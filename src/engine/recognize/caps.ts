import type { Rule } from '../corpus/rule.ts';

/** Hits of a rule on one stream that are kept, in the order of the stream. */
const usualCap = 1_000;
/** A placement proves one rank's node, so each counts. */
const placementCap = 20_000;
/** A catalogue rule reads many codes, of which each has the usual cap: a flood of one does not hide the others at once. */
const catalogueCap = 5_000;
/** Noise only shows that there was some: a large cluster in which every kernel log holds thousands stays quick. */
const noiseCap = 100;

/** The most hits of a rule that one stream keeps. */
export function streamCap(rule: Rule): number {
  if (rule.role === 'placement') return placementCap;
  if (rule.catalogue !== null) return catalogueCap;
  return rule.role === 'noise' && rule.count === null ? noiseCap : usualCap;
}

/** The most hits of one code of a catalogue rule that one stream keeps. */
export const codeCap = usualCap;

/** What one batch hands over: one hit more than is kept, so that the merge knows there are more. */
export function batchCap(rule: Rule): number {
  return rule.keepEnds ? 1 : streamCap(rule) + 1;
}
