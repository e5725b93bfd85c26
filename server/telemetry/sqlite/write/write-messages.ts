/** Messages to the write thread, and its replies. */
import type { Allowance, ExceededQuota } from '../../../ingest/allowance.ts';
import type { PriceOverrides } from '../../../ingest/cost/own-prices.ts';
import type { PackedBatch } from '../../../ingest/prepare/pack.ts';
import type { SinkMessage, WriteOutcome } from '../../../ingest/sink.ts';
import type { Scope } from '../../../platform/scope.ts';
import type { Port } from '../../../platform/thread.ts';
import type { Damage } from '../../damage.ts';
import type { Compaction } from '../../file-maintenance.ts';
import type { RunawayNotice } from '../../runaway-store.ts';
import type { CommitNotice } from '../../span-writer.ts';
import type { StorageErrorKind } from '../../storage-error.ts';
import type { DeletionChange } from '../../trace-deletions.ts';
import type { TagChange } from '../../trace-tags.ts';
import type { CommandCall } from './commands.ts';
import type { ScoreChange } from './score-rows.ts';

/** Message over a port, from a decode thread or the store itself. Groups contain both. */
export type WriteMessage = SinkMessage | (TransferredRequest & { id: number });

/** A `WriteRequest` in the form that is sent to the write thread. */
export type TransferredRequest = { scope: Scope } & (
  | { batch: PackedBatch; allowance: Allowance | null }
  | { change: ScoreChange }
  | { tags: TagChange }
);

type WriteThreadRequest =
  | { kind: 'channel'; port: Port<never, WriteMessage>; coming: Int32Array }
  | ({ kind: 'command'; id: number } & CommandCall)
  | { kind: 'stop' };

export type WriteThreadReply =
  /** `compaction`: result of a rebuild at the start. `isUnclean`: the store was not closed properly. */
  | { kind: 'ready'; compaction: Compaction | null; isUnclean: boolean }
  | { kind: 'damaged'; found: Damage }
  | { kind: 'failed'; errorKind: StorageErrorKind; message: string }
  /** Also the answer to a command, with an empty outcome. */
  | { kind: 'written'; id: number; outcome: WriteOutcome }
  | { kind: 'refused'; id: number; errorKind: StorageErrorKind; message: string }
  | { kind: 'spent'; id: number; spent: ExceededQuota }
  | { kind: 'compaction'; compaction: Compaction }
  | { kind: 'deletion'; change: DeletionChange }
  | { kind: 'runaways'; notices: RunawayNotice[] }
  /** Runs are not watched any more until the next start. */
  | { kind: 'watching-failed'; reason: string }
  | { kind: 'committed'; notices: CommitNotice[] };

/** Start message of the thread. */
export interface WriteTask {
  role: 'write';
  file: string;
  prices: PriceOverrides;
  /** One number, which becomes 1 once the store is known to be damaged. */
  damaged: Int32Array;
}

export interface WriteProtocol {
  task: WriteTask;
  request: WriteThreadRequest;
  reply: WriteThreadReply;
}
