/** Finds words in the keys and values of a JSON value, in reading order. A generator, so that a long search can be left at any moment. */
import type { JsonPath } from './json-tree.ts';

export const matchesMax = 10_000;

/** Visited nodes between two chances to stop. */
const nodesPerStep = 20_000;

/** Yields the path of each match, and undefined now and then. */
export function* searchJson(root: unknown, words: string): Generator<JsonPath | undefined, void> {
  const wanted = words.toLowerCase();
  const waiting: { path: JsonPath; value: unknown }[] = [{ path: [], value: root }];
  let found = 0;
  for (let seen = 1; waiting.length > 0 && found < matchesMax; seen++) {
    const { path, value } = waiting.pop() as { path: JsonPath; value: unknown };
    if (seen % nodesPerStep === 0) yield undefined;
    const name = path.at(-1);
    const isNamed = typeof name === 'string' && name.toLowerCase().includes(wanted);
    const isBranch = typeof value === 'object' && value !== null;
    if (isNamed || (!isBranch && String(value).toLowerCase().includes(wanted))) {
      found++;
      yield path;
    }
    if (!isBranch) continue;
    if (Array.isArray(value)) for (let i = value.length - 1; i >= 0; i--) waiting.push({ path: [...path, i], value: value[i] });
    else for (const [key, each] of Object.entries(value).reverse()) waiting.push({ path: [...path, key], value: each });
  }
}

export function* searchText(text: string, words: string): Generator<number | undefined, void> {
  const lower = text.toLowerCase();
  const wanted = words.toLowerCase();
  let found = 0;
  for (let at = lower.indexOf(wanted); at !== -1 && found < matchesMax; at = lower.indexOf(wanted, at + wanted.length)) {
    found++;
    yield at;
    if (found % nodesPerStep === 0) yield undefined;
  }
}
