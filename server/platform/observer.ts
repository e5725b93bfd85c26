import type { ErrorCode } from '../../shared/contract/core/errors.ts';

/** An answered request, as observers receive it. */
export interface AnsweredRequest {
  /** Id of the route. */
  route: string;
  method: string;
  /** Protocol of the request. */
  protocol: 'http' | 'grpc';
  /** HTTP status; for a gRPC call, the status of its HTTP route. */
  status: number;
  duration_ms: number;
  request_id: string;
  /** Error code; null for an answer without an error. */
  code: ErrorCode | null;
  /** Null on public routes and for unauthenticated requests. */
  tenant_id: string | null;
}

/** Work of a gateway that no request waits for. */
export interface BackgroundWork {
  /** Id of the gateway, which its leases have. */
  instance: string;
  /** Number of leases that it holds, by kind of work. */
  leases(): ReadonlyMap<string, number>;
  /** How long the oldest entry of each outbox has waited since this gateway first saw it, ms; 0 when none waits. */
  waitingMs(): ReadonlyMap<string, number>;
  /** Accepted changes that wait in the journal, bytes; null without a journal. */
  journalBytes(): number | null;
  /** Entries of the journal that were set aside; null without one. */
  journalFailures(): number | null;
  /** Attempts to send a notice of an alert since the start, by result. */
  alertAttempts(): ReadonlyMap<string, number>;
}

/** State of a gateway at the moment it is read. Counts begin with the start. */
export interface GatewayState extends BackgroundWork {
  /** Ingest requests that are admitted and not yet answered. */
  ingestQueue(): { requests: number; bytes: number };
  /** Spans and log records that could not be stored as their senders made them. */
  rejectedSpans(): number;
  /** Requests and streams that are open, by pool (share-table.ts). */
  inFlight(): ReadonlyMap<string, number>;
  /** Requests and streams that were refused because a pool, or the share of a caller in it, was full; by pool. */
  shareRefusals(): ReadonlyMap<string, number>;
  /** Whether damage was found in the telemetry store. */
  isDamaged(): boolean;
  /** The file system of the data folder, bytes. */
  disk(): Promise<{ free: number; size: number }>;
  /** The last verified backup of the data folder; null for none. */
  lastBackup(): Promise<{ finished_at: string; bytes: number } | null>;
}

/** Observes a gateway. MUST NOT throw. */
export interface Observer {
  /** Every answer of a declared route, once it has been sent or its connection has broken. */
  answered(request: AnsweredRequest): void;
  /** Committed spans, including final records of pending ones. */
  stored?(spans: number): void;
  /** Once, before the first request. */
  started?(state: GatewayState): void;
}
