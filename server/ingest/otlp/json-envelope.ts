/** Parses the body of an OTLP/JSON request into one JSON object: JSON bombs are refused, long numbers stay exact. */
import { UnreadableRequest } from './decoded.ts';
import { findJsonBomb } from './scan-json.ts';

export interface Json {
  [field: string]: unknown;
}

export const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Parses a body and passes it to `read`; null for an empty one.
 * Doubles cannot carry nanoseconds: when `read` finds that digits were lost, the body is parsed again with its long numbers quoted.
 * @throws UnreadableRequest when the bytes are not a JSON object
 */
export function readEnvelope<T extends { lostDigits: boolean }>(bytes: Uint8Array, read: (body: Json) => T): T | null {
  if (bytes.length === 0) return null;
  const bomb = findJsonBomb(bytes);
  if (bomb) throw new UnreadableRequest('invalid_otlp_payload', `The body is refused before it is parsed: ${bomb}`);
  const text = readUtf8(bytes);
  const result = read(parseBody(text));
  return result.lostDigits ? read(parseBody(quoteLongNumbers(text))) : result;
}

function readUtf8(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new UnreadableRequest('invalid_otlp_payload', 'The body is not valid UTF-8');
  }
}

/** @throws UnreadableRequest when the text is not a JSON object */
export function parseBody(text: string): Json {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch (error) {
    const why = error instanceof Error ? error.message.slice(0, 200) : '';
    throw new UnreadableRequest('invalid_otlp_payload', `The body is not JSON: ${why}`);
  }
  if (!isObject(body)) throw new UnreadableRequest('invalid_otlp_payload', 'The body is not a JSON object');
  return body;
}

const longNumber = /("(?:\w*[uU]nix_?[nN]ano|int_?[vV]alue)"\s*:\s*)(-?\d{16,20})(?=\s*[,}])/g;

/** Quotes integers with more digits than a double holds, in fields where the protocol has integers. */
export const quoteLongNumbers = (text: string): string => text.replace(longNumber, '$1"$2"');
