/** Coordination of a single gateway, in memory. */
import type { Coordination } from './coordination.ts';

export const memoryCoordination = (): Coordination => ({
  stop: async () => {},
});
