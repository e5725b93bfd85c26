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
}

/** Observes a gateway. MUST NOT throw. */
export interface Observer {
  /** Every answer of a declared route, once it has been sent or its connection has broken. */
  answered(request: AnsweredRequest): void;
  /** Committed spans, including final records of pending ones. */
  stored?(spans: number): void;
  /** Once, before the first request. */
  started?(work: BackgroundWork): void;
}
