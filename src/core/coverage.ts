export type { CoverageGroup, CoverageStatus, SourceCoverage } from '../contract/index.ts';
