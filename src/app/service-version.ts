/** Package version and, where a corpus decides answers, its hash, and whether answers are empty: `0.1.0+corpus.1a2b3c4d5e6f.shadow`. */
export function serviceVersion(packageVersion: string, corpusHash: string | null, shadow = false): string {
  const build = [
    ...(corpusHash === null ? [] : ['corpus', corpusHash.slice(0, 12)]),
    ...(shadow ? ['shadow'] : []),
  ];
  return build.length === 0 ? packageVersion : `${packageVersion}+${build.join('.')}`;
}
