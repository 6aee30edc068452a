export type { CoverageGroup, CoverageStatus, SourceCoverage } from './coverage.ts';
export { coverageStatuses } from './coverage.ts';
export type { AttributionRequest, EpochNanos, ErrorCategory, ErrorType, Phase } from './vocabulary.ts';
export { errorCategories, errorTypes, phases } from './vocabulary.ts';
