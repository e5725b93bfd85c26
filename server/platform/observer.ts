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

/** Observes a gateway. MUST NOT throw. */
export interface Observer {
  /** Every answer of a declared route, once it has been sent or its connection has broken. */
  answered(request: AnsweredRequest): void;
  /** Committed spans, including final records of pending ones. */
  stored?(spans: number): void;
}
