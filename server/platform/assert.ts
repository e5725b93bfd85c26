/** For conditions that only a bug can break. They become 500 `internal_error`. */
export function must<T>(value: T | null | undefined, why: string): T {
  if (value === null || value === undefined) throw new Error(`Broken invariant: ${why}`);
  return value;
}
