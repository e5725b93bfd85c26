/** Wall clock and monotonic clock. Tests pass their own. */
export interface Clock {
  /** Wall clock in milliseconds since the epoch, for stored and displayed times. Jumps when the machine's clock is set. */
  now(): number;
  /**
   * Milliseconds since some moment of this process. Never jumps, so limits, waits and timeouts use it. Meaningless in other processes and
   * after a restart.
   */
  monotonic(): number;
}

export const systemClock: Clock = { now: () => Date.now(), monotonic: () => performance.now() };
