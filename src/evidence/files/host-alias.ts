import type { FileHandle } from 'node:fs/promises';
import { parseLine } from '../../lines/formats/line-formats.ts';
import { isSameHost, isSameScheme, isUnnamedHost } from '../../lines/host-names.ts';
import type { LineDating } from '../../lines/line.ts';
import type { NodeDirectory } from '../../lines/node-names.ts';
import { isKernel } from './log-shape.ts';
import { linesOfHead, type OpenText } from './open-text.ts';

/** How many lines of the head are asked for their host, spread evenly over it. */
const headLines = 64;
/** Places further on in a plain file, and what is read there. */
const spots = 12;
const spotBytes = 8 * 1024;
const spotLines = 16;
/** Prefixes stand at the beginning of a line; an entry of the journal is read whole. */
const prefixLength = 1024;

/** What lines sampled from a node's own log tell of it as a whole. */
export interface LogOwner {
  /**
   * What the node calls itself, where that is not its name: clusters name nodes otherwise than hosts. The host that most
   * of the lines name, so long as no line names the node itself, and the host is neither another node of the job nor
   * named as nodes are. Null where the lines name the node, or more than one host.
   */
  readonly hostAlias: string | null;
  /** Whether a line is the kernel's. */
  readonly kernel: boolean;
}

/** Looks at lines of a log's beginning and, where it can be read from anywhere, of places further on. */
export async function ownerOfLog(
  node: string,
  text: OpenText,
  bytes: number,
  format: string,
  dating: LineDating,
  directory: NodeDirectory,
): Promise<LogOwner> {
  const counts = new Map<string, number>();
  /** The spelling under which a line names the node itself. */
  let own: string | null = null;
  let kernel = false;
  for await (const line of sampledLines(text, bytes)) {
    const said = line.startsWith('{') ? line : line.slice(0, prefixLength);
    const { host, program } = parseLine(format, said, dating);
    kernel ||= isKernel(program);
    if (host !== null && !isUnnamedHost(host)) {
      if (isSameHost(host, node) || isJoined(host, node, directory)) own ??= host;
      else counts.set(host, (counts.get(host) ?? 0) + 1);
    }
    if (own !== null && kernel) break;
  }
  if (own !== null) return { hostAlias: isSameHost(own, node) ? null : own, kernel };
  return { hostAlias: dominantAlias(node, counts, directory), kernel };
}

function dominantAlias(
  node: string,
  counts: ReadonlyMap<string, number>,
  directory: NodeDirectory,
): string | null {
  const all = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const [dominant] = [...counts].find(([, count]) => count * 2 > all) ?? [];
  if (dominant === undefined || isSameScheme(dominant, node)) return null;
  return directory.resolve(dominant).kind === 'none' ? dominant : null;
}

/** Whether the job, or its scheduler, knows a host as this node. */
export function isJoined(host: string, node: string, directory: NodeDirectory): boolean {
  const match = directory.resolve(host);
  return match.kind === 'one' && match.node === node;
}

/** Lines of the beginning, then of places further on where the file can be read from anywhere. */
async function* sampledLines({ head, plain }: OpenText, bytes: number): AsyncGenerator<string, void, void> {
  const lines = linesOfHead(head);
  const step = Math.max(1, Math.floor(lines.length / headLines));
  for (let at = 0; at < lines.length; at += step) yield lines[at] ?? '';
  if (plain === null) return;
  const rest = bytes - head.length;
  for (let spot = 1; spot <= spots && rest > 0; spot++) {
    yield* await linesAt(plain, head.length + Math.floor((rest * spot) / (spots + 1)));
  }
}

/** Whole lines from a place on; a file that cannot be read there is told by whoever reads it whole. */
async function linesAt(plain: FileHandle, at: number): Promise<readonly string[]> {
  try {
    const block = Buffer.alloc(spotBytes);
    const { bytesRead } = await plain.read(block, 0, block.length, at);
    return block
      .toString('utf8', 0, bytesRead)
      .split('\n')
      .slice(1, spotLines + 1);
  } catch {
    return [];
  }
}
