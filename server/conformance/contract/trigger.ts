/** Requests of the contract test, each with its expected answer. */
export type Call = `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}`;

/** Request that brings about one declared answer. */
export interface Trigger {
  /** Method and path as the document writes them. */
  call: Call;
  /** Name of the gateway fixture; `well` when absent. */
  at?: string;
  /** Path parameters, percent-encoded by the test. Those not given are the records of the same name. `{name}` stands for a record. */
  params?: Record<string, string>;
  /** Query string as sent, with `{name}` for a record. */
  query?: string;
  /** With `{name}` for a record. */
  headers?: Record<string, string>;
  /** An object goes as JSON, with `{name}` for a record where that is a whole value; bytes go as they are. */
  body?: object | string;
  /** Content-Length of a body that is never sent. */
  announced?: number;
  /** Sent after an event stream began, so that the stream has an event. */
  meanwhile?: Omit<Trigger, 'meanwhile'>;
  status: number;
  /** Absent for a reply. */
  code?: string;
  /** Media type of the answer; JSON when absent, '' where there is no body. */
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
export const well = 'well';
export const starting = 'starting';
export const damaged = 'damaged';
/** Callers: unknown, without permission, over the rate limit. */
export const stranger = 'asked by a stranger';
export const powerless = 'asked by somebody who may not';
export const spent = 'asked too often';
/** Gateway without any optional service. */
export const lean = 'without what a deployment may lack';
/** Gateway whose control store cannot be read. */
export const forgetful = 'without its control store';
/** Full disk: at the database, at its write-ahead log. */
export const full = 'full';
export const fullLog = 'with a full log';

/** Expects `storage_unavailable` of the calls on the damaged gateway. */
export const onDamaged = (...calls: (Call | Trigger)[]): Trigger[] =>
  calls.map((call) => ({ ...(typeof call === 'string' ? { call } : call), at: damaged, status: 503, code: 'storage_unavailable' }));
