const escapeCode = 0x1b;
const bell = 0x07;
const csi = 0x9b;

/**
 * Makes text harmless where it is shown: terminal sequences are dropped, other control characters (line feed and tab
 * excepted) and the characters that turn the direction of writing become visible as `\x07` or `\u202e`. One pass.
 */
export function neutralise(text: string): string {
  let result = '';
  let keptFrom = 0;
  for (let at = 0; at < text.length; ) {
    const code = text.charCodeAt(at);
    if (!isDangerous(code)) {
      at += 1;
      continue;
    }
    const end = code === escapeCode || code === csi ? sequenceEnd(text, at) : at + 1;
    result += text.slice(keptFrom, at) + (end > at + 1 ? '' : visible(code));
    at = end;
    keptFrom = end;
  }
  return keptFrom === 0 ? text : result + text.slice(keptFrom);
}

function isDangerous(code: number): boolean {
  if (code < 0x20) return code !== 0x0a && code !== 0x09;
  if (code < 0x7f) return false;
  return (
    code <= 0x9f ||
    (code >= 0x202a && code <= 0x202e) ||
    (code >= 0x2066 && code <= 0x2069) ||
    code === 0x2028 ||
    code === 0x2029
  );
}

/** Where the sequence begun at `at` ends; `at + 1` where none stands there. Looks at most as far as the text's end. */
function sequenceEnd(text: string, at: number): number {
  const introducer = text.charCodeAt(at) === csi ? '[' : text[at + 1];
  const body = text.charCodeAt(at) === csi ? at + 1 : at + 2;
  if (introducer === '[') return csiEnd(text, body);
  if (introducer === ']') return stringEnd(text, body);
  // Two-character sequences: character sets, cursor saving, resets.
  if (introducer !== undefined && introducer >= '0' && introducer <= '~') return body;
  if (introducer !== undefined && '()*+#'.includes(introducer)) return Math.min(body + 1, text.length);
  return at + 1;
}

/** Parameters, intermediates, one final character; a sequence broken off ends before what does not belong to it. */
function csiEnd(text: string, body: number): number {
  let at = body;
  while (at < text.length && text.charCodeAt(at) >= 0x20 && text.charCodeAt(at) <= 0x3f) at += 1;
  const final = text.charCodeAt(at);
  return final >= 0x40 && final <= 0x7e ? at + 1 : at;
}

/** Titles and links run to BEL or ESC \; unterminated ones lose only their introducer, not the rest of the line. */
function stringEnd(text: string, body: number): number {
  const limit = Math.min(text.length, body + 2_048);
  for (let at = body; at < limit; at += 1) {
    const code = text.charCodeAt(at);
    if (code === bell) return at + 1;
    if (code === escapeCode) return text[at + 1] === '\\' ? at + 2 : body;
    if (code === 0x0a) return body;
  }
  return body;
}

function visible(code: number): string {
  return code <= 0xff ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`;
}
