/**
 * A copy in which nothing but immutable values is shared with the original, for values that JSON could hold (bigints
 * included); null where its text would be longer than about `limit` characters.
 */
export function copyShort<T>(value: T, limit: number): T | null {
  let left = limit;
  const copy = (member: unknown): unknown => {
    left -= typeof member === 'string' ? member.length + 8 : 8;
    if (typeof member !== 'object' || member === null || left < 0) return member;
    return Array.isArray(member) ? member.map(copy) : copyMembers(member as Record<string, unknown>);
  };
  const copyMembers = (object: Readonly<Record<string, unknown>>): unknown => {
    const members: Record<string, unknown> = { ...object };
    for (const name of Object.keys(members)) {
      left -= name.length;
      const member = members[name];
      const copied = copy(member);
      if (copied !== member) members[name] = copied;
    }
    return members;
  };
  const copied = copy(value);
  return left < 0 ? null : (copied as T);
}
