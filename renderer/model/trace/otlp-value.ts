/** OTLP/JSON values and attribute lists as plain JavaScript values. Keys are untrusted and become own properties only. */
type Fields = Record<string, unknown>;
const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value);
const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

export interface Attribute {
  key: string;
  value: unknown;
}

/** An int64 that a number cannot represent stays text. */
function integer(value: unknown): unknown {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : String(value);
}

export function otlpValue(any: unknown): unknown {
  if (!isFields(any)) return any ?? null;
  if ('stringValue' in any) return any.stringValue;
  if ('boolValue' in any) return any.boolValue;
  if ('intValue' in any) return integer(any.intValue);
  if ('doubleValue' in any) return any.doubleValue;
  if ('bytesValue' in any) return any.bytesValue;
  if ('arrayValue' in any) return list((any.arrayValue as Fields | null)?.values).map(otlpValue);
  if ('kvlistValue' in any)
    return Object.fromEntries(attributes((any.kvlistValue as Fields | null)?.values).map(({ key, value }) => [key, value]));
  return null;
}

/** In the order received. */
export const attributes = (pairs: unknown): Attribute[] =>
  list(pairs).flatMap((pair) => (isFields(pair) ? [{ key: String(pair.key ?? ''), value: otlpValue(pair.value) }] : []));

/** The value as text for a table cell. */
export const formatValue = (value: unknown): string =>
  typeof value === 'string' ? value : value === null ? 'null' : JSON.stringify(value);
