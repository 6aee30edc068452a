/** As a whole, or by the short name where one of them has no domain. */
export function isSameNode(a: string, b: string): boolean {
  if (a === b) return true;
  if (a.includes('.') && b.includes('.')) return false;
  return a.split('.')[0] === b.split('.')[0];
}
