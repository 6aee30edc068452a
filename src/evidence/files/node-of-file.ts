import { isIPv4 } from 'node:net';
import type { NodeDirectory } from '../../lines/node-names.ts';

const extensions = new Set([
  'log',
  'txt',
  'text',
  'out',
  'err',
  'json',
  'jsonl',
  'dmesg',
  'kmsg',
  'kern',
  'kernel',
  'syslog',
  'messages',
  'journal',
  'journalctl',
  'epilog',
  'nhc',
  'gz',
  'zst',
  'zstd',
  'xz',
  'bz2',
  'zip',
  'old',
]);

/** What a log is, as people put it before a node's name or behind it; of two that end alike the longer first. */
const kinds = [
  'nvidia-bug-report',
  'nvidia-smi',
  'nv-fabricmanager',
  'fabric-manager',
  'fabricmanager',
  'dmesg',
  'kmsg',
  'kernel',
  'kern',
  'syslog',
  'messages',
  'journalctl',
  'journal',
  'epilog',
  'ipmi',
  'logs',
  'log',
  'nhc',
  'sel',
  'stdout',
  'stderr',
  'output',
  'out',
  'console',
  'excerpt',
  'paste',
  'text',
] as const;

/** What is no node's name where nothing else is left of a file's: words for logs, for those of many hosts, for pieces of them. */
const noNames: ReadonlySet<string> = new Set([
  ...kinds,
  ...extensions,
  ...['all', 'central', 'cluster', 'combined', 'nodes'],
  ...['crash', 'dump', 'error', 'errors', 'raw', 'report', 'serial', 'snippet', 'tail', 'untitled', 'var'],
]);
/** What people put behind a node's name to tell one piece of its log from another. */
const pieces = /[-_.]+(?:old|full|short|part|copy|bak|filtered|errors?|only|after|before|reboot|crash|ocr)$/i;
/** A flag of the program that wrote the log: `dmesg -T`. */
const flagBefore = /^[A-Za-z][-_.]+(?=.*\d)/;
const dateBehind = /[-_.]+(?:20\d{6}(?:[-_T]\d{4,6})?|20\d\d-\d\d-\d\d)$/;

export interface NodeOfFile {
  readonly node: string;
  /** As the file's name has it, where it has a domain; else the node. */
  readonly written: string;
  readonly joined: boolean;
}

/**
 * The node that a file `<node>.<extensions>` belongs to: the longest reading of its name that `known` joins to one
 * node (as it is spelled there), else the name without known extensions and without what the log is and its date
 * (`dmesg_node-01_20261130.log`); null for names that only say what is in a log, or number it.
 * Node names keep their dots: `node-01.cluster.log` is of `node-01.cluster`.
 */
export function nodeOfFile(fileName: string, known: NodeDirectory): NodeOfFile | null {
  let name = fileName;
  let isNamedByKind = false;
  for (;;) {
    const match = known.resolve(name);
    if (match.kind === 'one') return { node: match.node, written: fullName(name) ?? match.node, joined: true };
    const bare = withoutExtension(name);
    const shorter = bare ?? withoutKind(name);
    if (shorter === null) break;
    isNamedByKind ||= bare === null;
    name = shorter;
  }
  const plain = name.toLowerCase();
  const isNumber = isNamedByKind && /^\d+$/.test(name);
  return isNumber || noNames.has(plain) ? null : { node: name, written: name, joined: false };
}

/** What people collect the logs of one attempt or one day in, rather than those of one machine. */
const collected =
  /^(?:jobs?|slurm|run|attempt|try|retry|restart|case|ticket|incident|issue|bug|ranks?|tasks?|step|epoch|day|week|part|batch|test|exp(?:eriment)?|version|v|tmp|logs?)[-_.]?\d[\d._-]*[a-z]?$/i;

/** Whether a name has letters and a number as machines' have, or is an address. */
export function isMachine(name: string): boolean {
  if (isIPv4(name)) return true;
  return /[a-z]/i.test(name) && /\d/.test(name) && !collected.test(name);
}

/** The node that a folder of logs is of: one that `known` joins, else one that is called as machines are. */
export function nodeOfFolder(folderName: string, known: NodeDirectory): string | null {
  const named = nodeOfFile(folderName, known);
  return named !== null && (named.joined || isMachine(named.node)) ? named.node : null;
}

/** The name without one word for what the log is or which piece of it, or without its date; null where there is none. */
function withoutKind(name: string): string | null {
  const plain = name.toLowerCase();
  const before = kinds.find(kind => plain.startsWith(kind) && isGap(plain.charAt(kind.length)));
  const behind = kinds.find(kind => plain.endsWith(kind) && isGap(plain.at(-kind.length - 1)));
  const shorter =
    before !== undefined
      ? name
          .slice(before.length)
          .replace(/^[-_.]+/, '')
          .replace(before === 'dmesg' ? flagBefore : '', '')
      : behind !== undefined
        ? name.slice(0, -behind.length).replace(/[-_.]+$/, '')
        : name.replace(dateBehind, '').replace(pieces, '');
  return shorter === name || shorter === '' ? null : shorter;
}

const isGap = (character: string | undefined): boolean =>
  character === '-' || character === '_' || character === '.';

/** A name with a domain, as far as can be told: what stands behind a dot may also be what a file holds. */
function fullName(name: string): string | null {
  let bare = name;
  for (let less = withoutExtension(bare); less !== null; less = withoutExtension(bare)) bare = less;
  const labels = bare.toLowerCase().split('.');
  const isDomain = labels.length > 2 && /^[a-z]{2,}$/.test(labels.at(-1) ?? '');
  return isDomain && labels.every(label => !noNames.has(label)) ? bare : null;
}

/** The node whose `slurmd` wrote `slurmd-<node>.log` or `<node>.slurmd.log`; null for other logs of the scheduler. */
export function nodeOfDaemonLog(fileName: string, known: NodeDirectory): NodeOfFile | null {
  const rest = /^slurmd[-_.](.+)$/.exec(fileName)?.[1] ?? /^(.+?)[-_.]slurmd(?:\.|$)/.exec(fileName)?.[1];
  if (rest === undefined || !/[0-9]/.test(rest)) return null;
  return nodeOfFile(rest, known);
}

/** The name without one known extension, or without the number that log rotation put after one. */
function withoutExtension(name: string): string | null {
  const dot = name.lastIndexOf('.');
  if (dot <= 0) return null;
  const last = name.slice(dot + 1).toLowerCase();
  const rest = name.slice(0, dot);
  if (extensions.has(last)) return rest;
  const rotated =
    /^(?:\d{1,3}|\d{8})$/.test(last) && extensions.has(rest.slice(rest.lastIndexOf('.') + 1).toLowerCase());
  return rotated ? rest : null;
}
