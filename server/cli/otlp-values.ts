/** Values of spans in OTLP/JSON. */

export type AttributeValue = string | number | boolean | readonly string[];

const anyValue = (value: AttributeValue): object => {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  if (typeof value === 'number') return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
  return { arrayValue: { values: value.map(anyValue) } };
};

/** What is null or undefined is left out. */
export type Attributes = Record<string, AttributeValue | null | undefined>;

export const attributeList = (attributes: Attributes): object[] =>
  Object.entries(attributes).flatMap(([key, value]) => (value === null || value === undefined ? [] : [{ key, value: anyValue(value) }]));

/** @param ms since the epoch */
export const nano = (ms: number): string => String(BigInt(Math.round(ms * 1000)) * 1000n);
