import { lineFormats } from '../../lines/formats/line-formats.ts';
import { beginsColoured, withoutColours } from '../../lines/terminal-colours.ts';

/** Said of what lies in place of a kernel log. */
export const complaintOnly = 'it holds only what failed to fetch the log, or found none';

/** Said of a log of daemons alone: the kernel may have been silent, or its lines may go elsewhere. */
export const withoutKernel = 'no line of the kernel was seen in it';

export function isKernel(program: string | null): boolean {
  return program?.toLowerCase() === 'kernel';
}

/** Whether nothing can be read in a line; a crash leaves runs of zero bytes. */
export function isBlankLine(line: string): boolean {
  return !/[^\s\0]/.test(line);
}

const complaint =
  /^(?:-- (?:No entries|Logs begin|Journal begins|Boot|Reboot)|(?:ssh|scp|rsync|dmesg|journalctl|cat|tail|grep|sudo|su|bash|sh|zsh|kubectl|docker|pdsh|clush|srun|timeout|error|hint|warning): |\/[\w./-]{1,200}: |(?:No journal files were found|Permission denied|Connection (?:refused|closed|reset|timed out)|command not found|Host key verification failed)\b)/i;

/** Whether a line is what a command says that was to fetch a log, and that may lie in its place. */
export function isComplaint(line: string): boolean {
  return complaint.test(line.trimStart().slice(0, 400));
}

/** Whether a line begins as those of logs do that no job writes: with stamp or writer in their forms. */
export function isOfLog(line: string): boolean {
  const text = beginsColoured(line) ? withoutColours(line).text : line;
  return lineFormats.some(format => format.origin !== 'job' && format.fits(text));
}
