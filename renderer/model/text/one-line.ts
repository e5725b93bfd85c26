const shown = 300;

/** A JSON value as one line of a list: texts as they are, the rest as JSON, shortened. */
export function oneLine(value: unknown, most = shown): string {
  if (value === undefined || value === null) return '';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.slice(0, most).replace(/\s+/g, ' ').toWellFormed();
}
