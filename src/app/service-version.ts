/** Package version and, where a corpus decides answers, its hash: `0.1.0+corpus.1a2b3c4d5e6f`. */
export function serviceVersion(packageVersion: string, corpusHash: string | null): string {
  return corpusHash === null ? packageVersion : `${packageVersion}+corpus.${corpusHash.slice(0, 12)}`;
}
