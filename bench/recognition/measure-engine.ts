import { open } from 'node:fs/promises';
import type { LineBatch } from '../../src/core/batch.ts';
import type { Corpus } from '../../src/engine/corpus/corpus.ts';
import { gateHits } from '../../src/engine/gate/gate.ts';
import { createRecognitionPool } from '../../src/engine/pool.ts';
import { compileLineRules, originRules } from '../../src/engine/recognize/compile.ts';
import { bufferPool } from '../../src/evidence/buffers.ts';
import { cutLines } from '../../src/evidence/files/cut-lines.ts';
import { fileReader } from '../../src/evidence/files/file-reader.ts';
import { defaultFilesSettings } from '../../src/evidence/files/settings.ts';
import type { CorpusFile } from './corpus-file.ts';

/** The engine as it runs in the product: files read and cut on the calling thread, recognised by a pool that lives on. */
export interface EngineUnderMeasure {
  /** Reads and recognises everything; resolves to the seconds it took. */
  run(files: readonly CorpusFile[]): Promise<number>;
  close(): Promise<void>;
}

const buffers = bufferPool();

export function openEngine(corpus: Corpus, workers: number): EngineUnderMeasure {
  const pool = createRecognitionPool(corpus, { workers, onBuffer: buffers.release });
  return {
    async run(files) {
      const start = performance.now();
      const recognition = pool.open();
      for (const file of files) for await (const batch of batchesOf(file)) await recognition.submit(batch);
      await recognition.symptoms();
      recognition.end();
      return (performance.now() - start) / 1000;
    },
    close: pool.close,
  };
}

/** Lines of the files that hold a keyword, counted by the gate that recognition uses, over the same batches. */
export async function countKeywordLines(corpus: Corpus, files: readonly CorpusFile[]): Promise<number> {
  const compiled = compileLineRules(corpus);
  let count = 0;
  for (const file of files) {
    const { gate } = originRules(compiled, file.origin);
    for await (const { bytes, ownFrom, ownTo } of batchesOf(file)) {
      const hits = gateHits();
      gate.scan(bytes, ownFrom, ownTo, hits);
      let lineEnd = 0;
      for (let hit = 0; hit < hits.count; hit += 1) {
        const at = hits.offsets[hit] ?? 0;
        if (at < lineEnd) continue;
        count += 1;
        const feed = bytes.indexOf(10, at);
        lineEnd = feed < 0 ? bytes.length : feed + 1;
      }
      buffers.release(bytes.buffer);
    }
  }
  return count;
}

async function* batchesOf({ path, origin }: CorpusFile): AsyncGenerator<LineBatch, void, void> {
  const { cut, readBytes } = defaultFilesSettings;
  const handle = await open(path);
  const { size } = await handle.stat();
  const reader = fileReader(handle, { from: 0, to: size }, readBytes, new AbortController().signal);
  const header = {
    source: 'bench',
    origin,
    format: 'auto',
    node: null,
    stream: path,
    dating: { zone: 'UTC', zoneAssumed: false, year: 2026, bootNanos: null },
  };
  let sequence = 0;
  for await (const part of cutLines(reader, cut, buffers)) {
    const { bytes, length, ownFrom, ownTo, firstLine } = part;
    yield { kind: 'lines', header: { ...header, sequence, firstLine }, bytes, length, ownFrom, ownTo };
    sequence += 1;
  }
  await reader.close();
}
