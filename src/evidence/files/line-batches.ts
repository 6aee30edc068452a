import type { BatchHeader, LineBatch } from '../../core/batch.ts';
import type { Instant } from '../../core/time.ts';
import { decodeJournaldJson, journald } from '../../lines/formats/journald.ts';
import { decodeShippedJson, shippedJson } from '../../lines/formats/shipped-json.ts';
import type { BufferPool } from '../buffers.ts';
import type { ByteReader, CutShort } from './byte-reader.ts';
import { type CutSettings, cutLines } from './cut-lines.ts';
import { mapLines } from './map-lines.ts';
import {
  addHosts,
  firstInstant,
  holdsText,
  lastInstant,
  louder,
  type Reach,
  type Voice,
  voiceIn,
} from './sampled-lines.ts';

/** What was read of one stream of lines. */
export interface LinesRead {
  readonly lines: number;
  readonly bytes: number;
  readonly ending: CutShort | null;
  /** Whether it holds more than blanks. */
  readonly written: boolean;
  /** Whose lines a node's own log holds, as far as sampled; of other logs it says nothing. */
  readonly voice: Voice;
  /** First and last dated stamp of its own, where lines near the ends have one. */
  readonly reach: Reach;
  /** Hosts that sampled lines name, where the stream is shared by several. */
  readonly hosts: ReadonlyMap<string, Reach>;
}

/** What is asked of the lines while they pass. */
export interface LineQuestions {
  /** Whether a host is the node whose own log this is; not asked of shared ones. */
  readonly isOwn: (host: string) => boolean;
  /** Whether the time that is judged may lie between two stamps. */
  readonly mayJudge: (reach: Reach) => boolean;
}

/** Cuts one stream into batches and closes it. Journal exports and what shippers wrote in JSON are decoded to one line of text an entry. */
export async function* lineBatches(
  reader: ByteReader,
  header: Omit<BatchHeader, 'sequence' | 'firstLine'>,
  firstLine: number,
  cut: CutSettings,
  buffers: BufferPool,
  questions: LineQuestions,
): AsyncGenerator<LineBatch, LinesRead, void> {
  const decode = decoders.get(header.format);
  const decoded = decode === undefined ? reader : mapLines(reader, decode);
  const nodeLocal = header.origin === 'kernel' || header.origin === 'health';
  const { node } = header;
  const isOwn = node === null ? () => true : questions.isOwn;
  const hosts = new Map<string, Reach>();
  let written = false;
  let voice: Voice = 'nobody';
  const enough: Voice = header.origin === 'kernel' ? 'kernel' : 'own';
  let first: Instant | null = null;
  let last: Instant | null = null;
  let sequence = 0;
  let lines = 0;
  let bytes = 0;
  try {
    for await (const part of cutLines(decoded, cut, buffers, firstLine)) {
      const { length, ownFrom, ownTo } = part;
      lines += part.lines;
      bytes += ownTo - ownFrom;
      written ||= holdsText(part);
      if (nodeLocal) {
        const own = { first: firstInstant(part, header, isOwn), last: lastInstant(part, header, isOwn) };
        first ??= own.first;
        last = own.last ?? last;
        if (node === null) addHosts(hosts, part, header, questions.mayJudge(own));
        else if (voice !== enough) voice = louder(voice, voiceIn(part, header, isOwn));
      }
      yield {
        kind: 'lines',
        header: { ...header, sequence, firstLine: part.firstLine },
        bytes: part.bytes,
        length,
        ownFrom,
        ownTo,
      };
      sequence += 1;
    }
    return { lines, bytes, written, voice, ending: decoded.cutShort(), reach: { first, last }, hosts };
  } finally {
    await decoded.close();
  }
}

const decoders = new Map<string, (line: string) => string | null>([
  [journald.name, line => (line.startsWith('{') ? (decodeJournaldJson(line)?.text ?? null) : null)],
  [shippedJson.name, decodeShippedJson],
]);
