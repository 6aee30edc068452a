/** The bodies FastAPI sends where no model is involved. All but the last are JSON. */

/** `{"detail": "..."}`, the form of every refusal that is no 422. */
export function detail(text: string): string {
  return `{"detail":${JSON.stringify(text)}}`;
}

export function notFound(): string {
  return detail('Not Found');
}

export function methodNotAllowed(): string {
  return detail('Method Not Allowed');
}

/** 400, for a body that could not be read at all; `reason` names the limit it ran into, if any. */
export function bodyUnreadable(reason: string | null = null): string {
  const what = 'There was an error parsing the body';
  return detail(reason === null ? what : `${what}: ${reason}`);
}

/** 500, `text/plain; charset=utf-8`. */
export function internalServerError(): string {
  return 'Internal Server Error';
}
