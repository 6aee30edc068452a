import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';

/** The claims of the published API page, by number, in our words. */
export const claims: Readonly<Record<number, string>> = {
  1: 'the attribution route is POST /v1/attribution',
  2: 'the health route is GET /healthz',
  3: 'the port is 8000',
  4: 'the README calls itself independent and the response a reconstruction',
  5: 'the models can be imported by themselves',
  6: 'the OpenAPI document is checked in',
  7: 'the document is exported without starting a server',
  8: 'the document is exported without building settings',
  9: 'the document is exported without importing a provider',
  10: 'the document is exported without calling a provider',
  11: 'off is a mode of the caller, with no adapter running',
  12: 'off gives the caller an empty normal result',
  13: 'off claims no diagnosis',
  14: 'models and a good /healthz say nothing about a provider',
  15: 'starting the service constructs its provider',
  16: 'a missing dependency fails start-up visibly',
  17: 'missing configuration fails start-up visibly',
  18: 'no failure becomes a healthy service without a provider',
  19: 'a provider is no second public API',
  20: 'the members of a request',
  21: 'times are UTC with offsets',
  22: 'workflow_id is a non-empty canonical string of at most 256 characters',
  23: 'attempt_index identifies the attempt',
  24: 'the example request is accepted',
  25: 'one phase a request, synchronous',
  26: 'fast starts the fast signal pass',
  27: 'slow brings the session id back as continue_session',
  28: 'the scope of slow is the epilog window',
  29: 'slow without a window gives no_attribution_available',
  30: 'nothing is fabricated then',
  31: 'slow analysis is left off where no epilog logs are configured',
  32: 'timeout_ms is a member of the contract, and kept',
  33: 'the members of a response',
  34: 'a finding targets a Node or AllJobResources',
  35: 'a finding has category, observed_at and evidence',
  36: 'empty lists, missing confidence and informational errors isolate nothing',
  37: 'recovery policy belongs to the caller',
  38: 'the types of error',
  39: 'errors are data, not status codes',
  40: 'a provider that fails is a 200 with service_error',
  41: 'a wrong shape is a 422',
  42: 'a provider that cannot be constructed is a 500',
  43: '/healthz is {"status":"ok"} and no readiness check',
  44: 'no authentication or TLS of its own, so it listens on loopback',
  45: 'bodies are sensitive: stores are private and user_id is in no log',
  46: 'trace headers carry context and are no credential',
  47: 'versions are not negotiated',
  48: 'a break of the released contract needs a decision record',
};

/** What is not built yet; a test fails when a claim has neither a test nor a place here. */
export const stillToCome: readonly number[] = [];

/** The test of one claim: its number and words are the test's name. */
export function claim(number: number, run: (context: TestContext) => void | Promise<void>): void {
  test(`conformance ${number}: ${claims[number]}`, run);
}

/** Numbers that have a test, read from the text of the conformance tests. */
export function testedClaims(folder: string, files: readonly string[]): ReadonlySet<number> {
  const texts = files.map(file => readFileSync(join(folder, file), 'utf8'));
  return new Set(texts.flatMap(text => [...text.matchAll(/\bclaim\((\d+),/g)].map(match => Number(match[1]))));
}
