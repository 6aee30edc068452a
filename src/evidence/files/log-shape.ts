import { lineFormats } from '../../lines/formats/line-formats.ts';
import { beginsColoured, withoutColours } from '../../lines/terminal-colours.ts';

/** Said of what lies in place of a kernel log. */
export const unlikeKernelLog = 'no line of it looks like one of a kernel log';

/** Said of a log of daemons alone: the kernel may have been silent, or its lines may go elsewhere. */
export const withoutKernel = 'no line of the kernel was seen in it';

export function isKernel(program: string | null): boolean {
  return program?.toLowerCase() === 'kernel';
}

/** Whether nothing can be read in a line; a crash leaves runs of zero bytes. */
export function isBlankLine(line: string): boolean {
  return !/[^\s\0]/.test(line);
}

/** Whether a line begins as those of logs do that no job writes: with stamp or writer in their forms. */
export function isOfLog(line: string): boolean {
  const text = beginsColoured(line) ? withoutColours(line).text : line;
  return lineFormats.some(format => format.origin !== 'job' && format.fits(text));
}
