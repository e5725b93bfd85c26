/** `target.push(...items)` for lists of any length: as arguments, some hundred thousand items overflow the stack. */
export function append<T>(target: T[], items: Iterable<T>): void {
  for (const item of items) target.push(item);
}
