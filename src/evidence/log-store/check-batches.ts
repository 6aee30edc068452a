import type { BatchHeader, StateBatch } from '../../core/batch.ts';
import { second } from '../../core/time.ts';
import { readChecks } from '../../lines/health/check-rows.ts';
import { lineDating } from '../files/stream-dating.ts';
import { decodeLine, type GatheredStream } from './stream-lines.ts';

/** Hosts agree by NTP. */
const plusMinus = second;

/** Hands on what JSON documents in a stream of health checks state, and returns the stream without their words, with why some were lost. */
export function* checkBatches(
  gathered: GatheredStream,
  header: Omit<BatchHeader, 'sequence' | 'firstLine' | 'stream' | 'entries'>,
): Generator<StateBatch, GatheredStream & { readonly lost: readonly string[] }, void> {
  const { stream, node, stamps } = gathered;
  const clock = `${header.source}:${stream}#entries`;
  const { rows, lines, lost } = readChecks({
    lines: gathered.lines.map(decodeLine),
    format: header.format,
    node: header.node,
    dating: lineDating(header.dating, stream),
    stampOf: line => {
      const nanos = stamps[line];
      return nanos === undefined ? null : { nanos, plusMinus, basis: 'stamped', clock, tick: nanos };
    },
  });
  if (rows.length > 0)
    yield { kind: 'states', header: { ...header, stream, sequence: 0, firstLine: 1 }, query: stream, rows };
  return { stream, node, stamps, lines: [...lines], lost };
}
