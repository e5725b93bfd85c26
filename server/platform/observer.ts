/** An answer, as those who watch a gateway hear of it. */
export interface Answered {
  /** Of the route. */
  route: string;
  method: string;
  /** What it came by. */
  protocol: 'http' | 'grpc';
  /** That of HTTP; a call by gRPC has the one that its route would have answered. */
  status: number;
  duration_ms: number;
  request_id: string;
  /** Null where nobody had to say who they are, or nobody did. */
  tenant_id: string | null;
}

/** Hears of what a gateway does. MUST NOT throw. */
export interface Observer {
  /** Every answer of a declared route, once it has left or its connection has broken. */
  answered(answered: Answered): void;
  /** Spans that were committed, also those that say more of one that was there. */
  stored?(spans: number): void;
}
