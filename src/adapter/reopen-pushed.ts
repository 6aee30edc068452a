import { readObservation } from '../contract/dialect/index.ts';
import type { AttributorRecords } from '../core/attributor.ts';
import type { PushedPlace } from '../core/pushed.ts';
import { unpackPushed } from './pushed-bytes.ts';

/** Whatever was pushed was smaller. */
const mostBytes = 268_435_456;

/** The lines of an observation that evidence cites, as they came; null where it is not kept, or no longer. */
export async function reopenPushed(
  records: Pick<AttributorRecords, 'kept'>,
  { session, observation }: PushedPlace,
): Promise<readonly string[] | null> {
  const packed = await records.kept(session, observation);
  if (packed === null) return null;
  for await (const { bytes } of unpackPushed([packed], mostBytes)) {
    const read = readObservation(JSON.parse(new TextDecoder().decode(bytes)));
    return read.ok ? read.observation.streams.flatMap(({ lines }) => lines) : null;
  }
  return null;
}
