/**
 * Identifies a dataset row by its input, so that runs can be compared row by row: FNV-1a of 64 bits over the UTF-16 code units of canonical
 * JSON. Clients compute it too, so it must never change.
 */
const offsetBasis = 0xcbf29ce484222325n;
const prime = 0x100000001b3n;

export function inputHash(value: unknown): string {
  const text = canonicalJson(value);
  let hash = offsetBasis;
  for (let at = 0; at < text.length; at++) hash = BigInt.asUintN(64, (hash ^ BigInt(text.charCodeAt(at))) * prime);
  return hash.toString(16).padStart(16, '0');
}

/** Keys in code-unit order at every depth, no spaces, and null for values that JSON cannot represent. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${fields.map(([key, field]) => `${JSON.stringify(key)}:${canonicalJson(field)}`).join(',')}}`;
}
