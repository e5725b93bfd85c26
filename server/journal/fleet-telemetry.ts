/** The telemetry of a fleet: stored in ClickHouse, written through the journal by whichever gateway owns a tenant. */
import type { Pool } from 'pg';
import type { Notices } from '../coordination/notices.ts';
import type { Sink } from '../ingest/sink.ts';
import type { Leases } from '../jobs/lease.ts';
import type { Log } from '../platform/log.ts';
import type { TelemetryStore } from '../telemetry/store.ts';
import { type OwnedTelemetry, outcomeOf, type StoreWriter } from '../telemetry/store-requests.ts';
import { Journal, type JournalLimits } from './journal.ts';
import { JournalTable } from './journal-table.ts';
import { PartOwners } from './part-owners.ts';
import { SharedDeletions } from './shared-deletions.ts';

export interface FleetParts {
  database: OwnedTelemetry;
  /** For the journal. The migrations of the control store have created its tables; it is ended with the store. */
  pool: Pool;
  /** Turns an error of the pool into a StorageError; null for one that is a bug. */
  failureOf: (error: unknown) => unknown;
  notices: Notices;
  leases: Leases;
  log: Log;
  limits?: Partial<JournalLimits>;
}

/** What waits in the journal, for observers: as an outbox, and in bytes; and the number of entries that were set aside. */
export interface JournalBacklog {
  name: string;
  readonly waitingMs: number;
  readonly bytes: number;
  readonly failures: number;
}

export interface FleetTelemetry {
  telemetry: TelemetryStore;
  sink: Sink;
  waiting: JournalBacklog;
}

export function openFleetTelemetry({ database, pool, failureOf, notices, leases, log, limits }: FleetParts): FleetTelemetry {
  const table = new JournalTable(pool, failureOf);
  const owners: PartOwners = new PartOwners({
    table,
    leases,
    log,
    openWriter: (epoch, part) => database.openWriter(epoch, part),
    onResults: (results) => journal.applied(results),
  });
  const journal: Journal = new Journal({
    table,
    notices,
    log,
    encode: (request) => database.encode(request),
    wake: (part, isAwaited) => owners.wake(part, isAwaited),
    ...(limits && { limits }),
  });
  owners.start();
  const writer: StoreWriter = {
    write: (request) => journal.write(request),
    stop: async () => {
      shared.stop();
      await owners.stop();
      await journal.stop();
      await pool.end();
    },
  };
  const sink: Sink = {
    offer: async (scope, batch, allowance) => outcomeOf(await writer.write({ kind: 'batch', scope, batch, allowance })),
  };
  const waiting = {
    name: 'journal',
    get waitingMs() {
      return journal.oldestMs;
    },
    get bytes() {
      return journal.bytes;
    },
    get failures() {
      return journal.failures;
    },
  };
  const telemetry = database.store(writer);
  const shared: SharedDeletions = new SharedDeletions(telemetry.deletions, notices);
  const deletions = { ...telemetry.deletions, follow: (listener: Parameters<SharedDeletions['follow']>[0]) => shared.follow(listener) };
  return { telemetry: { ...telemetry, deletions }, sink, waiting };
}
