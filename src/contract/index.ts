/** The public contract: types, models, reading of requests, writing of answers. Importing it does nothing. */
export type { AuditedAnswer, ExplainedKind, ReadAudited } from './audit-wire.ts';
export { readAuditedAnswer, renderAuditedAnswer } from './audit-wire.ts';
export type { CoverageGroup, CoverageStatus, SourceCoverage } from './coverage.ts';
export { coverageStatuses } from './coverage.ts';
export type { WireCoverage, WireWindow } from './coverage-wire.ts';
export { coverageToWire } from './coverage-wire.ts';
export { datetimeFromWire, datetimeToWire } from './datetime-wire.ts';
export type { Difference, DifferenceKind, ReadOpenapi } from './diff.ts';
export { diffOpenapi, readOpenapi } from './diff.ts';
export { bodyUnreadable, detail, internalServerError, methodNotAllowed, notFound } from './error-bodies.ts';
export type {
  ExplanationFields,
  WireChange,
  WireExplanation,
  WireReason,
  WireSymptom,
} from './explanation-wire.ts';
export { explanationToWire } from './explanation-wire.ts';
export type { HistoryAsked, ReadHistoryAsked } from './history-page.ts';
export { readHistoryAsked, renderHistoryPage } from './history-page.ts';
export type { WireHistoryRow } from './history-wire.ts';
export { historyRowToWire, readHistoryRows } from './history-wire.ts';
export type { OpenapiDocument, PlainJson } from './openapi.ts';
export { openapiDocument, openapiText } from './openapi.ts';
export type { ParsedRequest, ParseOptions } from './parse-request.ts';
export { parseRequest } from './parse-request.ts';
export { problemContentType, problemDetails } from './problem-details.ts';
export type { NaiveDatetimes } from './pydantic/datetime.ts';
export type { ReadEvidence, ReadFinding, ReadResponse } from './read-response.ts';
export { readResponse } from './read-response.ts';
export type { ReadinessFields } from './readiness-wire.ts';
export { renderReadiness } from './readiness-wire.ts';
export { renderRequest } from './render-request.ts';
export type {
  AttributionResponse,
  RenderOptions,
  ResponseEvidence,
  ResponseFinding,
  ResponseReference,
  ResponseTarget,
} from './render-response.ts';
export { referenceToWire, renderResponse } from './render-response.ts';
export type { Report, ReportFailure, ReportMistake, ReportRow, ReportScore } from './report-wire.ts';
export { renderReport } from './report-wire.ts';
export { WorkloadAttributionRequest } from './request.ts';
export { WorkloadAttributionResponse } from './response.ts';
export type { AttributionRequest, EpochNanos, ErrorCategory, ErrorType, Phase } from './vocabulary.ts';
export { errorCategories, errorTypes, phases, schemaVersion } from './vocabulary.ts';
