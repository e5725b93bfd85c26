/**
 * What the gateways of one installation share beside the control store, so that a promise that one gateway keeps is kept by several. None of
 * it needs to survive a crash of the database.
 */

import type { IngestLog } from '../ingest/ingest-log.ts';
import type { BucketStore } from './bucket-store.ts';
import type { Notices } from './notices.ts';
import type { WorkerSockets } from './worker-sockets.ts';

export interface Coordination {
  /** Rate limits. */
  buckets: BucketStore;
  notices: Notices;
  ingestLog: IngestLog;
  /** Null where there is one gateway. */
  workerSockets: WorkerSockets | null;
  stop(): Promise<void>;
}
