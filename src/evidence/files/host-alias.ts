import type { FileHandle } from 'node:fs/promises';
import { parseLine } from '../../lines/formats/line-formats.ts';
import { isSameHost, isSameScheme, isUnnamedHost } from '../../lines/host-names.ts';
import type { LineDating } from '../../lines/line.ts';
import type { NodeDirectory } from '../../lines/node-names.ts';
import { linesOfHead, type OpenText } from './open-text.ts';

/** How many lines of the head are asked for their host, spread evenly over it. */
const headLines = 64;
/** Places further on in a plain file, and what is read there. */
const spots = 12;
const spotBytes = 8 * 1024;
const spotLines = 16;
/** Prefixes stand at the beginning of a line. */
const prefixLength = 1024;

/**
 * What a node calls itself in its own log, where that is not its name: clusters name nodes otherwise than hosts. The
 * host that most of the sampled lines name, so long as no line names the node itself, and the host is neither another
 * node of the job nor named as nodes are. Null where the lines name the node, or more than one host.
 */
export async function hostAliasOf(
  node: string,
  text: OpenText,
  bytes: number,
  format: string,
  dating: LineDating,
  directory: NodeDirectory,
): Promise<string | null> {
  const counts = new Map<string, number>();
  let all = 0;
  for await (const line of sampledLines(text, bytes)) {
    const { host } = parseLine(format, line.slice(0, prefixLength), dating);
    if (host === null || isUnnamedHost(host)) continue;
    if (isSameHost(host, node)) return null;
    if (isJoined(host, node, directory)) return host;
    counts.set(host, (counts.get(host) ?? 0) + 1);
    all += 1;
  }
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
