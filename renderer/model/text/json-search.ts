/** Searches the keys and values of a JSON value, in reading order. A generator, so that a long search can be stopped at any time. */
import type { JsonPath } from './json-tree.ts';

export const matchesMax = 10_000;

/** Visited nodes between two opportunities to stop. */
const nodesPerStep = 20_000;

/** Yields the path of each match, and undefined regularly, so that the caller can stop. */
export function* searchJson(root: unknown, query: string): Generator<JsonPath | undefined, void> {
  const lowerQuery = query.toLowerCase();
  const pending: { path: JsonPath; value: unknown }[] = [{ path: [], value: root }];
  let count = 0;
  for (let visited = 1; pending.length > 0 && count < matchesMax; visited++) {
    const { path, value } = pending.pop() as { path: JsonPath; value: unknown };
    if (visited % nodesPerStep === 0) yield undefined;
    const name = path.at(-1);
    const isNamed = typeof name === 'string' && name.toLowerCase().includes(lowerQuery);
    const isBranch = typeof value === 'object' && value !== null;
    if (isNamed || (!isBranch && String(value).toLowerCase().includes(lowerQuery))) {
      count++;
      yield path;
    }
    if (!isBranch) continue;
    if (Array.isArray(value)) for (let i = value.length - 1; i >= 0; i--) pending.push({ path: [...path, i], value: value[i] });
    else for (const [key, child] of Object.entries(value).reverse()) pending.push({ path: [...path, key], value: child });
  }
}

export function* searchText(text: string, query: string): Generator<number | undefined, void> {
  const lower = text.toLowerCase();
  const lowerQuery = query.toLowerCase();
  let count = 0;
  for (let at = lower.indexOf(lowerQuery); at !== -1 && count < matchesMax; at = lower.indexOf(lowerQuery, at + lowerQuery.length)) {
    count++;
    yield at;
    if (count % nodesPerStep === 0) yield undefined;
  }
}
