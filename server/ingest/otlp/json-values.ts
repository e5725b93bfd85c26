/** Reads an AnyValue of OTLP/JSON as a RawValue. */
import { UnreadableSpan } from './decoded.ts';
import { otlpLimits } from './limits.ts';
import type { RawAttribute, RawValue } from './raw-span.ts';

/** Collects warnings about a span; shared by all readers of the span. */
export interface Notes {
  warn(message: string): void;
  /** An integer was written without quotes and lost digits when it was parsed as a double. */
  lostDigits?(): void;
}

/** Whole and non-finite doubles are stored as text, so that they are not mistaken for integers. */
export function rawDouble(value: number, notes: Notes): RawValue {
  if (!Number.isFinite(value)) notes.warn('a double is NaN or infinite: kept as text, and not counted');
  return Number.isFinite(value) && !Number.isInteger(value) ? value : { double: Object.is(value, -0) ? '-0' : String(value) };
}

/** An int64 in decimal text. A number that does not fit stays text, so that no digit changes. */
function rawInteger(text: string, notes: Notes): RawValue {
  const value = Number(text);
  if (Number.isSafeInteger(value)) return value === 0 ? 0 : value;
  const exact = BigInt(text);
  if (BigInt.asIntN(64, exact) === exact) return { int: exact.toString() };
  notes.warn('an intValue does not fit in 64 bits: kept as text');
  return exact.toString();
}

/** A number or decimal text as a number, NaN for anything else. `Number` itself throws on objects that shadow `toString`. */
export function numberOf(value: unknown): number {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN;
}

/** A count; 0 when it is absent or invalid. */
export const readCount = (value: unknown): number => (Number.isInteger(numberOf(value)) && numberOf(value) > 0 ? numberOf(value) : 0);

export function wellFormed(text: string, notes: Notes): string {
  if (text.isWellFormed()) return text;
  notes.warn('text held unpaired surrogates, replaced by U+FFFD');
  return text.toWellFormed();
}

const integerText = /^[+-]?\d{1,20}$/;

function readDouble(value: unknown, notes: Notes): RawValue {
  // NaN has no JSON form: it arrives as null, or as text by the protobuf mapping.
  if (value === null || value === 'NaN') return rawDouble(Number.NaN, notes);
  const double = numberOf(value);
  return Number.isNaN(double) ? unreadable('doubleValue', notes) : rawDouble(double, notes);
}

function readInteger(value: unknown, notes: Notes): RawValue {
  if (typeof value === 'number') {
    if (Number.isSafeInteger(value)) return value === 0 ? 0 : value;
    notes.lostDigits?.();
    return Number.isInteger(value) ? rawInteger(String(BigInt(value)), notes) : rawDouble(value, notes);
  }
  if (typeof value === 'string' && integerText.test(value.trim())) return rawInteger(value.trim(), notes);
  return unreadable('intValue', notes);
}

function unreadable(field: string, notes: Notes): null {
  notes.warn(`an attribute has a ${field} that is not a number: kept as null`);
  return null;
}

/** The text of a stringValue that is not a string. */
const asText = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value));

interface JsonValue {
  [field: string]: unknown;
}

const isObject = (value: unknown): value is JsonValue => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Reads one AnyValue. An AnyValue without a known field is null, as the protocol defines it. */
export function readValue(value: unknown, notes: Notes, depth = 0): RawValue {
  if (!isObject(value)) return null;
  if (typeof value['stringValue'] === 'string') return wellFormed(value['stringValue'], notes);
  if ('intValue' in value) return readInteger(value['intValue'], notes);
  if ('boolValue' in value) return value['boolValue'] === true || value['boolValue'] === 'true';
  if ('doubleValue' in value) return readDouble(value['doubleValue'], notes);
  if ('stringValue' in value) return value['stringValue'] === null ? null : wellFormed(asText(value['stringValue']), notes);
  return readNested(value, notes, depth);
}

function readNested(value: JsonValue, notes: Notes, depth: number): RawValue {
  if (depth >= otlpLimits.valueDepthMax)
    throw new UnreadableSpan(`an attribute value is nested deeper than ${otlpLimits.valueDepthMax} levels`);
  if (isObject(value['arrayValue'])) {
    const values = value['arrayValue']['values'];
    return Array.isArray(values) ? values.map((element) => readValue(element, notes, depth + 1)) : [];
  }
  if (isObject(value['kvlistValue']))
    return { map: readAttributes(value['kvlistValue']['values'], 'kvlistValue', notes, depth + 1).attributes };
  if (typeof value['bytesValue'] === 'string') return { bytes: Buffer.from(value['bytesValue'], 'base64').toString('base64') };
  if (
    'string_value' in value ||
    'int_value' in value ||
    'bool_value' in value ||
    'double_value' in value ||
    'array_value' in value ||
    'kvlist_value' in value ||
    'bytes_value' in value
  ) {
    return readValue(camelCased(value), notes, depth);
  }
  return null;
}

/** A message of a hand-written sender with its snake_case keys in camelCase. */
export function camelCased(value: JsonValue): JsonValue {
  const message: JsonValue = Object.create(null);
  for (const key of Object.keys(value)) message[key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())] ??= value[key];
  return message;
}

/** Reads a list of `{key, value}`; keys past the limit are counted, not kept. */
export function readAttributes(list: unknown, field: string, notes: Notes, depth = 0): { attributes: RawAttribute[]; cut: number } {
  if (list === undefined || list === null) return { attributes: [], cut: 0 };
  if (!Array.isArray(list)) throw new UnreadableSpan(`${field} is not a list of {key, value}`);
  const attributes: RawAttribute[] = [];
  for (const item of list) {
    if (attributes.length === otlpLimits.attributesMax) break;
    if (!isObject(item)) continue;
    const key = readKey(item['key'], field, notes);
    if (key !== '') attributes.push([key, readValue(item['value'], notes, depth)]);
  }
  const cut = Math.max(0, list.length - otlpLimits.attributesMax);
  if (cut > 0) notes.warn(`${cut} of ${list.length} ${field} were dropped: at most ${otlpLimits.attributesMax} are kept`);
  return { attributes, cut };
}

/** When a key repeats, the last value counts, and the sender gets a warning. */
export function warnOfRepeats(attributes: RawAttribute[], notes: Notes): void {
  if (hasRepeats(attributes)) notes.warn('an attribute key repeats: the last one counts');
}

/** Up to this number of keys, comparing them pairwise is faster than building a set. */
const fewKeys = 32;

function hasRepeats(attributes: RawAttribute[]): boolean {
  if (attributes.length > fewKeys) return new Set(attributes.map(([key]) => key)).size < attributes.length;
  return attributes.some(([key], index) => {
    for (let before = 0; before < index; before++) if (attributes[before]?.[0] === key) return true;
    return false;
  });
}

export function readKey(key: unknown, field: string, notes: Notes): string {
  if (typeof key !== 'string') return '';
  if (key.includes('\0')) throw new UnreadableSpan(`${field} has a key with a NUL character`);
  if (key.length <= otlpLimits.keyLengthMax) return wellFormed(key, notes);
  notes.warn(`a key of ${key.length} characters was cut to ${otlpLimits.keyLengthMax}`);
  return cutText(key, otlpLimits.keyLengthMax).toWellFormed();
}

/** Cuts without splitting a surrogate pair. */
export function cutText(text: string, length: number): string {
  if (text.length <= length) return text;
  const high = text.charCodeAt(length - 1);
  return text.slice(0, high >= 0xd800 && high <= 0xdbff ? length - 1 : length);
}
