/** Decodes the forms of bytes in JSON: base64, data URLs and lists of numbers. */
import { isObject, type JsonObject } from './json-value.ts';

const HEAD_LENGTH_MAX = 512;

/** `data:image/png;base64,iVBO…` as its two halves; undefined for links and for data URLs that are not base64. */
export function parseDataUrl(url: string): { mimeType: string; base64: string } | undefined {
  if (!url.startsWith('data:')) return undefined;
  const comma = url.indexOf(',');
  const head = comma < 0 ? '' : url.slice(5, Math.min(comma, HEAD_LENGTH_MAX));
  return head.endsWith(';base64') ? { mimeType: head.slice(0, head.indexOf(';')), base64: url.slice(comma + 1) } : undefined;
}

/** Finds one wrong character, because a pattern that matches megabytes of right ones may exceed the stack. */
const NOT_BASE64 = /[^A-Za-z0-9+/_-]/;

/** The bytes, or null when the text is not base64 from its first to its last character. Both alphabets and line breaks are accepted. */
export function decodeBase64(text: string): Buffer | null {
  const line = text.includes('\n') ? text.replace(/[\r\n]+/g, '') : text;
  const padding = line.endsWith('==') ? 2 : line.endsWith('=') ? 1 : 0;
  const digits = line.slice(0, line.length - padding);
  if (digits === '' || NOT_BASE64.test(digits)) return null;
  const isWhole = padding > 0 ? line.length % 4 === 0 : line.length % 4 !== 1;
  return isWhole ? Buffer.from(line, 'base64') : null;
}

/**
 * Base64 of bytes that JSON turned into numbers: `{type:"Buffer",data:[…]}` (AI SDK `ai.prompt`), `[…]`, or `{"0":137,"1":80}` (a serialised
 * Uint8Array). Undefined unless every element is a byte.
 */
export function base64OfBytes(value: unknown): string | undefined {
  const numbers = isObject(value) ? (Array.isArray(value['data']) ? value['data'] : indexedBytes(value)) : value;
  if (!Array.isArray(numbers) || numbers.length === 0) return undefined;
  for (const byte of numbers) {
    if (typeof byte !== 'number' || !Number.isInteger(byte) || byte < 0 || byte > 255) return undefined;
  }
  return Buffer.from(numbers as number[]).toString('base64');
}

function indexedBytes(value: JsonObject): unknown[] | undefined {
  return value['0'] === undefined || value['1'] === undefined ? undefined : Object.values(value);
}
