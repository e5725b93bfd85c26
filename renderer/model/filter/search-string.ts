/**
 * Encoding of search parameters: ordinary form encoding, with a repeated key for a list and nothing for absent values. The router's own JSON
 * encoding would quote every value and make links unreadable.
 */
export type Search = Record<string, string | string[]>;

export function parseSearch(text: string): Search {
  const search: Search = Object.create(null) as Search;
  for (const [key, value] of new URLSearchParams(text)) {
    const previous = search[key];
    if (previous === undefined) search[key] = value;
    else search[key] = [...(Array.isArray(previous) ? previous : [previous]), value];
  }
  return { ...search };
}

export function formatSearch(search: Record<string, unknown>): string {
  const pairs = new URLSearchParams();
  for (const [key, value] of Object.entries(search)) {
    for (const item of Array.isArray(value) ? value : [value]) {
      if (item !== undefined && item !== null && item !== '') pairs.append(key, String(item));
    }
  }
  const text = pairs.toString();
  return text === '' ? '' : `?${text}`;
}
