/** The thread that writes for the tenants that this process owns. */
import type { ClickHouseClient } from '@clickhouse/client';
import { noOverrides, type PriceOverrides } from '../../../ingest/cost/own-prices.ts';
import { createPricing, type Pricing } from '../../../ingest/cost/pricing.ts';
import type { Scope } from '../../../platform/scope.ts';
import { threadPort } from '../../../platform/thread.ts';
import type { RunawayNotice } from '../../runaway-store.ts';
import type { CommitNotice } from '../../span-writer.ts';
import { StorageError, type StorageErrorKind } from '../../storage-error.ts';
import type { JournalRequest, SentRequest, StoreRequest, StoreResult } from '../../store-requests.ts';
import { partOf } from '../../tenant-parts.ts';
import type { DeletionChange } from '../../trace-deletions.ts';
import { type TextBlobPlace, TextBlobs } from '../blobs/text-blobs.ts';
import { type ClickHouseAddress, connectClickHouse } from '../connect.ts';
import { ReadContext } from '../read/read-context.ts';
import { StoreCursors } from '../read/store-cursors.ts';
import { StoredTraceReader } from '../stored-traces.ts';
import { AppErasure } from './app-erasure.ts';
import { BlobRemoval } from './blob-removal.ts';
import { ByteErasure } from './byte-erasure.ts';
import { Deletions } from './deletions.ts';
import { fenceOf } from './fence.ts';
import { FencedDeletes } from './fenced-deletes.ts';
import { GroupWriter } from './group-writer.ts';
import { Inserts } from './inserts.ts';
import { InterruptedCommits } from './interrupted-commits.ts';
import { InterruptedRows } from './interrupted-rows.ts';
import { decodeRequest, unpacked } from './request-codec.ts';
import { RunawayGuard } from './runaway-guard.ts';
import { RunawayRows } from './runaway-rows.ts';
import { ScoreWriter } from './score-writer.ts';
import { TenantUsage } from './tenant-usage.ts';
import { TenantWriter } from './tenant-writer.ts';
import { TraceRemoval } from './trace-removal.ts';
import { Commits } from './versions.ts';
import { writeFailure } from './write-failure.ts';

export interface WriteTask {
  role: 'clickhouse-write';
  clickhouse: ClickHouseAddress;
  blobs: TextBlobPlace | null;
  prices: PriceOverrides;
  cursorKey: Uint8Array;
}

/** Writers are named by their epoch. */
export type WriteCall =
  /** `part`: of the tenants that it writes for; null for all. `watchesRuns`: it finds runaways. */
  | { kind: 'open'; epoch: number; part: number | null; watchesRuns: boolean }
  | { kind: 'write'; epoch: number; request: SentRequest }
  | { kind: 'apply'; epoch: number; requests: readonly JournalRequest[] }
  | { kind: 'give up'; epoch: number; number: number }
  | { kind: 'close'; epoch: number };

/** A StoreResult that can be sent. */
export type SentResult =
  | Exclude<StoreResult, { error: StorageError }>
  | { error: { errorKind: StorageErrorKind; message: string; isOfOne: boolean } };

export type WriteReply =
  | { kind: 'done'; id: number; results: SentResult[] }
  | { kind: 'committed'; notice: CommitNotice }
  | { kind: 'deletion'; change: DeletionChange }
  | { kind: 'runaways'; notices: RunawayNotice[] }
  /** Work without a sender failed and is tried again. `app`: tenant and app as JSON; '' when it is not that of one app. */
  | { kind: 'failure'; event: string; app: string; reason: string };

export interface WriteProtocol {
  task: WriteTask;
  request: (WriteCall & { id: number }) | 'stop';
  reply: WriteReply;
}

/** A deletion rewrites parts of tables, which takes as long as it takes. */
const maintenanceLimits = { seconds: 0, bytes: 1_000_000_000 };
const maintenanceConnections = 4;
/** Open runs that a writer watches: of a part, or of all tenants. */
const runsMax = { ofPart: 1000, ofAll: 2000 };

export function runWriteThread({ clickhouse, blobs: place, prices = noOverrides, cursorKey }: WriteTask): void {
  const main = threadPort<WriteProtocol>();
  const client = connectClickHouse(clickhouse);
  const maintenance = connectClickHouse({ ...clickhouse, connections: maintenanceConnections }, maintenanceLimits);
  const context = new ReadContext(client, new StoreCursors(Buffer.from(cursorKey)));
  const blobs = new TextBlobs(place);
  const stored = new StoredTraceReader(client, blobs);
  const shared: SharedParts = {
    ...{ client, maintenance, context, stored, blobs, knownTexts: new Set<string>(), prices, pricing: createPricing(prices) },
    onCommit: (notice) => main.postMessage({ kind: 'committed', notice }),
    onChange: (change) => main.postMessage({ kind: 'deletion', change }),
    onRunaways: (notices) => main.postMessage({ kind: 'runaways', notices }),
    onFailure: (event, app, error) => main.postMessage({ kind: 'failure', event, app, reason: String(error) }),
  };
  const writers = new Map<number, TenantWriter>();
  const write = async (epoch: number, request: StoreRequest, number: number | null): Promise<StoreResult> =>
    (await writers.get(epoch)?.write(request, number)) ?? { error: new StorageError('stopping', 'The store is being closed') };
  const apply = async (epoch: number, { number, body, isAcknowledged }: JournalRequest): Promise<StoreResult> => {
    const request = decodeRequest(body);
    return write(epoch, isAcknowledged ? withoutLimit(request) : request, number);
  };
  const run = async (call: WriteCall): Promise<StoreResult[]> => {
    switch (call.kind) {
      case 'open':
        writers.set(call.epoch, openWriter(shared, call));
        return [];
      case 'write':
        return [await write(call.epoch, unpacked(call.request), null)];
      case 'apply':
        return Promise.all(call.requests.map((request) => apply(call.epoch, request).catch(failed)));
      case 'give up':
        writers.get(call.epoch)?.giveUp(call.number);
        return [];
      case 'close':
        await writers.get(call.epoch)?.stop();
        writers.delete(call.epoch);
        return [];
    }
  };
  main.on('message', async (request) => {
    if (request === 'stop') {
      await Promise.all([client.close(), maintenance.close()]);
      main.close();
      return;
    }
    const { id } = request;
    const results = await run(request).catch((error: unknown) => [failed(error)]);
    main.postMessage({ kind: 'done', id, results: results.map(sent) });
  });
}

interface SharedParts {
  client: ClickHouseClient;
  maintenance: ClickHouseClient;
  context: ReadContext;
  stored: StoredTraceReader;
  blobs: TextBlobs;
  /** Keys of texts that are stored. */
  knownTexts: Set<string>;
  prices: PriceOverrides;
  pricing: Pricing;
  onCommit(notice: CommitNotice): void;
  onChange(change: DeletionChange): void;
  onRunaways(notices: RunawayNotice[]): void;
  onFailure(event: string, app: string, error: unknown): void;
}

function openWriter(shared: SharedParts, { epoch, part, watchesRuns }: Extract<WriteCall, { kind: 'open' }>): TenantWriter {
  const { client, maintenance, context, blobs, knownTexts } = shared;
  const fence = fenceOf(epoch, part);
  const inserts = new Inserts(client, fence, blobs, knownTexts);
  // Another gateway may have deleted some in the meantime.
  inserts.forget();
  const commits = new Commits(epoch);
  const owns = (tenantId: string) => part === null || partOf(tenantId) === part;
  const usage = new TenantUsage({ client, inserts, commits });
  const rows = new RunawayRows({ client: maintenance, context, inserts, commits, owns });
  const runaways = new RunawayGuard({ ...shared, rows, runsMax: part === null ? runsMax.ofAll : runsMax.ofPart });
  const deletes = new FencedDeletes(maintenance, fence);
  const isRemoved = (scope: Scope, trace: string) => erasure.has(scope) || deletions.has(scope, trace);
  const removal = new BlobRemoval({ ...shared, inserts, commits });
  const found = { rows: new InterruptedRows(maintenance), blobs: removal };
  const interrupted = new InterruptedCommits({ ...shared, ...found, inserts, deletes, commits, isRemoved });
  const writer = new GroupWriter({
    ...{ ...shared, inserts, usage, commits, interrupted },
    onRuns: (runs) => runaways.see(runs),
  });
  const bytes = new ByteErasure(maintenance);
  const parts = { ...shared, inserts, client: maintenance, deletes, commits, usage, writer, runaways, owns, bytes };
  const deletions = new Deletions({ ...parts, blobs: removal, removal: new TraceRemoval({ ...parts, blobs: removal }) });
  const erasure = new AppErasure(parts);
  writer.deleted = deletions;
  const startAboveStored = async () => {
    const [last] = await context.rows<{ arrival: number }>('SELECT max(arrival) AS arrival FROM place');
    commits.startAbove(last?.arrival ?? 0);
  };
  return new TenantWriter({
    ...parts,
    ...{ scores: new ScoreWriter(parts), deletions, erasure, startAboveStored },
    watchesRuns,
  });
}

const failed = (error: unknown): StoreResult => ({ error: writeFailure(error) });

const withoutLimit = (request: StoreRequest): StoreRequest =>
  request.kind === 'batch' && request.allowance ? { ...request, allowance: { monthly_spans: null, storage_bytes: null } } : request;

const sent = (result: StoreResult): SentResult => ('error' in result ? { error: errorSent(result.error) } : result);

const errorSent = ({ errorKind, message, isOfOne }: StorageError) => ({ errorKind, message, isOfOne });
