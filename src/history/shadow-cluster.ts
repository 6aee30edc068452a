const prefix = 'shadow of ';

/**
 * The name under which a service in shadow mode remembers: neither does what it remembers count for one that answers,
 * nor the other way round. No setting can name it.
 */
export function shadowClusterOf(cluster: string): string {
  return `${prefix}${cluster}`;
}

export function isShadowCluster(cluster: string): boolean {
  return cluster.startsWith(prefix);
}
