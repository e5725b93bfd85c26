const defaultMax = 300;

/** A JSON value as one line of a list: texts unchanged, other values as JSON, truncated. */
export function oneLine(value: unknown, charsMax = defaultMax): string {
  if (value === undefined || value === null) return '';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.slice(0, charsMax).replace(/\s+/g, ' ').toWellFormed();
}
