/** Structural difference of two JSON values. */
export interface JsonChange {
  kind: 'added' | 'removed' | 'changed';
  /** `answer.items[2]`; empty for the whole value. */
  path: string;
  before?: unknown;
  after?: unknown;
}

/** Nobody reads more. */
const changesMax = 500;

const isBranch = (value: unknown): value is object => typeof value === 'object' && value !== null;
const isSameKind = (a: unknown, b: unknown): boolean => isBranch(a) && isBranch(b) && Array.isArray(a) === Array.isArray(b);

const childPath = (path: string, key: string, isList: boolean) => (isList ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`);

/** In the order of the first value, then additions of the second. List items are compared by index. */
export function jsonDiff(before: unknown, after: unknown): JsonChange[] {
  const changes: JsonChange[] = [];
  const compare = (path: string, a: unknown, b: unknown): void => {
    if (changes.length >= changesMax || Object.is(a, b)) return;
    if (!isSameKind(a, b)) {
      changes.push({ kind: 'changed', path, before: a, after: b });
      return;
    }
    const [left, right] = [a as Record<string, unknown>, b as Record<string, unknown>];
    const isList = Array.isArray(a);
    for (const key of Object.keys(left)) {
      if (Object.hasOwn(right, key)) compare(childPath(path, key, isList), left[key], right[key]);
      else changes.push({ kind: 'removed', path: childPath(path, key, isList), before: left[key] });
    }
    for (const key of Object.keys(right))
      if (!Object.hasOwn(left, key)) changes.push({ kind: 'added', path: childPath(path, key, isList), after: right[key] });
  };
  compare('', before, after);
  return changes.slice(0, changesMax);
}

/** The value of a text that is a JSON object or list; undefined for any other text. */
export function jsonOf(text: string): object | undefined {
  if (!/^\s*[{[]/.test(text)) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isBranch(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
