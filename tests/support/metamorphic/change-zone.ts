import { type CaseText, placeOf } from './case-text.ts';
import { mapStamps } from './stamps.ts';

/** A zone that never changes its offset. */
export interface FixedZone {
  /** IANA name. */
  readonly name: string;
  /** As ISO writes it. */
  readonly offset: string;
  readonly minutes: number;
}

export const fixedZones: readonly FixedZone[] = [
  { name: 'Asia/Kathmandu', offset: '+05:45', minutes: 345 },
  { name: 'America/Phoenix', offset: '-07:00', minutes: -420 },
];

/**
 * The same failure on a cluster whose clocks show the time of a zone: every stamp of the evidence, and the times of the
 * request. What says its zone says the new one.
 */
export function changeZone(text: CaseText, zone: FixedZone, year: number): CaseText {
  const moved = ([path, content]: readonly [string, string]): [string, string] => {
    const isRequest = path.endsWith('request.json');
    if (!isRequest && placeOf(path) === null) return [path, content];
    return [path, mapStamps(content, year, stamp => inZone(stamp.millis, zone))];
  };
  return new Map([...text].map(moved));
}

const inZone = (millis: number, { minutes, offset }: FixedZone) => ({
  millis: millis + minutes * 60_000,
  offset,
});
