import { connect } from 'node:net';

/** An HTTP request over a connection of its own, written as it goes over the wire: the load must be cheap. */
export function postOnce(port: number, request: readonly Uint8Array[]): Promise<number> {
  return new Promise(resolve => {
    const socket = connect(port, '127.0.0.1');
    let status = 0;
    socket.on('data', chunk => {
      status ||= Number(chunk.toString('latin1', 9, 12));
    });
    socket.once('error', () => resolve(0));
    socket.once('close', () => resolve(status));
    for (const part of request) socket.write(part);
  });
}

export function headOf(path: string, bytes: number): Uint8Array {
  return Buffer.from(
    `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\ncontent-length: ${bytes}\r\nconnection: close\r\n\r\n`,
  );
}

/** A text with places for a name of fixed length, put in without building the text again. */
export interface Template {
  readonly bytes: number;
  with(name: string): Uint8Array;
}

export function template(text: string, placeholder: string): Template {
  const whole = Buffer.from(text);
  const places: number[] = [];
  for (let at = whole.indexOf(placeholder); at >= 0; at = whole.indexOf(placeholder, at + 1)) places.push(at);
  return {
    bytes: whole.length,
    with(name) {
      const copy = Buffer.from(whole);
      const bytes = Buffer.from(name);
      for (const at of places) bytes.copy(copy, at);
      return copy;
    },
  };
}
