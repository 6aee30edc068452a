/** Names in parts, none with more than `most` names or, as `bytesOf` counts, more bytes than `room`. */
export function groupNames(
  names: readonly string[],
  room: number,
  most: number,
  bytesOf: (name: string) => number,
): readonly (readonly string[])[] {
  const groups: string[][] = [];
  let left = 0;
  for (const name of names) {
    const bytes = bytesOf(name);
    const current = groups.at(-1);
    if (current === undefined || bytes > left || current.length >= most) {
      groups.push([name]);
      left = room - bytes;
    } else {
      current.push(name);
      left -= bytes;
    }
  }
  return groups;
}
