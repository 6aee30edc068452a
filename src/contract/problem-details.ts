const titles: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  404: 'Not Found',
  405: 'Method Not Allowed',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
};

/** RFC 9457: how everything but the contract's own routes tells what went wrong. */
export function problemDetails(status: number, says: string): string {
  return JSON.stringify({ type: 'about:blank', title: titles[status] ?? 'Error', status, detail: says });
}

export const problemContentType = 'application/problem+json';
