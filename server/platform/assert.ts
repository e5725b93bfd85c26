/** For what cannot happen unless we made a mistake. These become 500 `internal_error`, never an answer of their own. */
export function must<T>(value: T | null | undefined, why: string): T {
  if (value === null || value === undefined) throw new Error(`Broken promise: ${why}`);
  return value;
}
