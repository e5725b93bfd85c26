/** Requests of the contract test, each with its expected answer. */
export type Call = `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}`;

/** Request that brings about one declared answer. */
export interface Trigger {
  /** Method and path as in the document. */
  call: Call;
  /** Name of the gateway fixture; `healthy` when absent. */
  at?: string;
  /** Path parameters, percent-encoded by the test. Absent ones are the records of the same name. `{name}` stands for a record. */
  params?: Record<string, string>;
  /** Query string as sent, with `{name}` for a record. */
  query?: string;
  /** With `{name}` for a record. */
  headers?: Record<string, string>;
  /** An object is sent as JSON, where a value `{name}` stands for a record; bytes are sent unchanged. */
  body?: object | string;
  /** Content-Length of a body that is never sent. */
  announced?: number;
  /** Sent after an event stream has started, so that the stream has an event. */
  meanwhile?: Omit<Trigger, 'meanwhile'>;
  status: number;
  /** Absent for a reply. */
  code?: string;
  /** Media type of the answer; JSON when absent, '' for no body. */
  type?: string;
}

/** Running gateway in one state, with the credentials of a caller and the ids of its records. */
export interface GatewayFixture {
  url: string;
  /** Credentials, sent with every request. */
  headers?: Record<string, string>;
  /** Values for path parameters. */
  records: Record<string, string>;
  /** Keeps the gateway in the state while `act` runs. */
  during?<T>(act: () => Promise<T>): Promise<T>;
}

export type GatewayFixtures = Record<string, GatewayFixture>;

/** States that every composition has. */
export const healthy = 'healthy';
export const starting = 'starting';
export const damaged = 'damaged';
/** Callers: unknown, without permission, over the rate limit. */
export const stranger = 'with unknown credentials';
export const unprivileged = 'without permission';
export const rateLimited = 'over the rate limit';
/** Gateway without any optional service. */
export const minimal = 'without optional services';
/** Gateway whose control store cannot be read. */
export const withoutControl = 'without its control store';
/** Full disk: for the database, for its write-ahead log. */
export const full = 'with a full disk';
export const fullLog = 'with a full write-ahead log';

/** The calls on the damaged gateway, which must answer `storage_unavailable`. */
export const onDamaged = (...calls: (Call | Trigger)[]): Trigger[] =>
  calls.map((call) => ({ ...(typeof call === 'string' ? { call } : call), at: damaged, status: 503, code: 'storage_unavailable' }));
