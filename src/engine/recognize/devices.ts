import type { Device } from '../../core/symptom.ts';

type Captures = Readonly<Record<string, string>>;

/**
 * PCI addresses as they are compared: lower case, domain of 4 digits, no function (`0000:b3:00`). Text that is no
 * PCI address stays as it is.
 */
export function normalizePci(raw: string): string {
  const match = /^(?:([0-9a-f]{1,8}):)?([0-9a-f]{2}):([0-9a-f]{2})(?:\.[0-9a-f])?$/i.exec(raw);
  if (match === null) return raw;
  const domain = Number.parseInt(match[1] ?? '0', 16)
    .toString(16)
    .padStart(4, '0');
  return `${domain}:${match[2]}:${match[3]}`.toLowerCase();
}

/** Captures with their `pci` normalised. */
export function normalizeCaptures(captures: Captures): Captures {
  const pci = captures['pci'];
  return pci === undefined ? captures : { ...captures, pci: normalizePci(pci) };
}

/** The device that captures speak of, else the GPU that wrote the line (`[3]` of an NCCL prefix); null if neither. */
export function deviceOf(captures: Captures, speakerGpu: number | null): Device | null {
  const pci = captures['pci'] ?? null;
  const uuid = captures['uuid'] ?? null;
  const name = captures['device'] ?? captures['switch'] ?? null;
  const index =
    toIndex(captures['gpu']) ?? (pci === null && uuid === null && name === null ? speakerGpu : null);
  if (pci === null && uuid === null && index === null && name === null) return null;
  return { pci, uuid, index, name };
}

/** Whether two lines speak of the same device; what neither tells apart is not the same. */
export function sameDevice(a: Device | null, b: Device | null): boolean {
  if (a === null || b === null) return false;
  if (a.pci !== null && b.pci !== null) return a.pci === b.pci;
  if (a.uuid !== null && b.uuid !== null) return a.uuid === b.uuid;
  if (a.index !== null && b.index !== null) return a.index === b.index;
  return a.name !== null && a.name === b.name;
}

export function toIndex(text: string | undefined): number | null {
  return text !== undefined && /^[0-9]{1,9}$/.test(text) ? Number(text) : null;
}
