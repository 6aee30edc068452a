import { connect } from 'node:net';

export interface RawResponse {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface RawAddress {
  readonly host: string;
  readonly port: number;
}

/** Sends bytes as they are and reads until the server closes. */
export function exchange(address: RawAddress, bytes: string | Uint8Array): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(address.port, address.host);
    const chunks: Buffer[] = [];
    socket.on('data', chunk => chunks.push(chunk));
    socket.on('close', () => resolve(Buffer.concat(chunks).toString('utf8')));
    socket.on('error', reject);
    socket.write(bytes);
  });
}

/** `exchange`, with the one response it gets taken apart. */
export async function exchangeOne(address: RawAddress, bytes: string | Uint8Array): Promise<RawResponse> {
  const [response] = responsesIn(await exchange(address, bytes));
  if (response === undefined) throw new Error('the server closed without an answer');
  return response;
}

/** Takes apart responses that stand one behind the other, each with a content-length. */
export function responsesIn(text: string): readonly RawResponse[] {
  const responses: RawResponse[] = [];
  for (let rest = text; rest !== ''; ) {
    const end = rest.indexOf('\r\n\r\n');
    const [statusLine = '', ...headerLines] = rest.slice(0, end).split('\r\n');
    const headers = Object.fromEntries(
      headerLines.map(line => {
        const colon = line.indexOf(':');
        return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
      }),
    );
    const bodyEnd = end + 4 + Number(headers['content-length'] ?? 0);
    responses.push({ status: Number(statusLine.split(' ')[1]), headers, body: rest.slice(end + 4, bodyEnd) });
    rest = rest.slice(bodyEnd);
  }
  return responses;
}

/** A request of one's own making; `connection: close` unless told otherwise. */
export function requestText(line: string, headers: Readonly<Record<string, string>> = {}, body = ''): string {
  const all = { host: 'adapter.example:8000', connection: 'close', ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${line} HTTP/1.1\r\n${lines.join('')}\r\n${body}`;
}
