/** A client of the attribution contract for controllers of recovery. It has no dependency and reads no settings. */
export type { AttributionRequest, ErrorType, Phase } from '../src/contract/vocabulary.ts';
export type { AttributionClient, CallOptions, ClientOptions, Send } from './client.ts';
export { createAttributionClient } from './client.ts';
export type { Failure, Time } from './failure-request.ts';
export { failureRequest } from './failure-request.ts';
export type {
  Answered,
  AttributionResult,
  Believed,
  CallError,
  CallErrorType,
  Citation,
  Found,
  ServiceIdentity,
  Target,
  Unanswered,
} from './result.ts';
