/** Coordination of a single gateway, in memory. */
import type { Coordination } from './coordination.ts';
import { noNotices } from './notices.ts';

export const memoryCoordination = (): Coordination => ({
  notices: noNotices,
  stop: async () => {},
});
