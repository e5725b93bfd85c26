/** An answer, as those who watch a gateway hear of it. */
export interface Answered {
  /** Of the route. */
  route: string;
  method: string;
  status: number;
  duration_ms: number;
  request_id: string;
  /** Null where nobody had to say who they are, or nobody did. */
  tenant_id: string | null;
}

/** Hears of every answer of a declared route, once it has left or its connection has broken. MUST NOT throw. */
export interface Observer {
  answered(answered: Answered): void;
}
