/** What time it is, and how much of it goes by. Tests bring their own. */
export interface Clock {
  /** The time of day: milliseconds since the epoch. For what is kept or shown; it jumps when the machine's clock is set. */
  now(): number;
  /**
   * Milliseconds since some moment of this process. Never goes back and never jumps, so limits, waits and timeouts within the process are
   * measured by it. It means nothing to another process, nor after a restart.
   */
  monotonic(): number;
}

export const systemClock: Clock = { now: () => Date.now(), monotonic: () => performance.now() };
