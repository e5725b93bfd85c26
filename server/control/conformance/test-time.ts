import type { Clock } from '../../platform/clock.ts';

/** A clock that tests set. It advances with each reading, so that records made one after the other have different times. */
export class TestTime implements Clock {
  ms = Date.UTC(2026, 0, 1);
  stepMs = 1;

  now(): number {
    this.ms += this.stepMs;
    return this.ms;
  }

  monotonic(): number {
    return this.now();
  }

  /** A time from now, in ISO 8601. */
  in(ms: number): string {
    return new Date(this.ms + ms).toISOString();
  }
}
