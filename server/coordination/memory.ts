/** Coordination of a single gateway, in memory. */
import { MemoryIngestLog } from '../ingest/ingest-log.ts';
import type { Clock } from '../platform/clock.ts';
import type { Coordination } from './coordination.ts';
import { MemoryBuckets } from './memory-buckets.ts';
import { noNotices } from './notices.ts';

export const memoryCoordination = (clock: Clock): Coordination => ({
  buckets: new MemoryBuckets(clock),
  notices: noNotices,
  ingestLog: new MemoryIngestLog(),
  workerSockets: null,
  stop: async () => {},
});
