import type { Device } from '../../core/symptom.ts';
import type { Ternary } from '../../core/time.ts';

/**
 * Whether two symptoms of one node speak of one device. Lines name a device in different ways (PCI address, UUID,
 * index), so that the answer is unknown unless both use the same way.
 */
export function sameDevice(a: Device | null, b: Device | null): Ternary {
  if (a === null || b === null) return 'unknown';
  if (a.pci !== null && b.pci !== null) return a.pci === b.pci ? 'yes' : 'no';
  if (a.uuid !== null && b.uuid !== null) return a.uuid === b.uuid ? 'yes' : 'no';
  if (a.index !== null && b.index !== null) return a.index === b.index ? 'yes' : 'no';
  if (a.name !== null && b.name !== null) return a.name === b.name ? 'yes' : 'no';
  return 'unknown';
}
