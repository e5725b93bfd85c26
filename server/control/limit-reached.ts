/** As many exist already as are allowed. */
export class LimitReached extends Error {
  readonly current: number;
  readonly limit: number;

  constructor(current: number, limit: number) {
    super(`The limit of ${limit} is reached`);
    this.name = 'LimitReached';
    this.current = current;
    this.limit = limit;
  }
}

/** Called within the transaction of the insert, so that concurrent inserts do not exceed the limit together. @param max null for no limit */
export function assertBelow(max: number | null, current: number): void {
  if (max !== null && current >= max) throw new LimitReached(current, max);
}
