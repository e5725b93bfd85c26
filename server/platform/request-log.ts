import type { Log } from './log.ts';
import type { Observer } from './observer.ts';

/** Logs a line for every answer, without paths and bodies, which are tenant data. */
export const requestLog = (log: Log): Observer => ({
  answered: ({ duration_ms, ...answered }) => log.info('answered', { ...answered, duration_ms: Math.round(duration_ms * 10) / 10 }),
});
