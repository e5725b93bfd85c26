/** What a walk is made of: requests, each with the answer it must get. */
export type Call = `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}`;

/** One request that provokes one answer. */
export interface Provocation {
  /** Method and path as the document writes them. */
  call: Call;
  /** Name of the place it is sent to; `well` when absent. */
  at?: string;
  /** Path parameters, percent-encoded by the walk. Those not given are the records of the same name. `{name}` stands for a record. */
  params?: Record<string, string>;
  /** Put behind the path as it is, with `{name}` for a record. */
  query?: string;
  /** With `{name}` for a record. */
  headers?: Record<string, string>;
  /** An object goes as JSON, with `{name}` for a record where that is a whole value; bytes go as they are. */
  body?: object | string;
  /** Bytes that are announced and never sent. */
  announced?: number;
  /** Sent once a stream of events began, to have something to tell. */
  meanwhile?: Omit<Provocation, 'meanwhile'>;
  status: number;
  /** Absent for a reply. */
  code?: string;
  /** Media type of the answer; JSON when absent, '' where there is no body. */
  type?: string;
}

/** A running gateway in some state, somebody who asks it, and what is known of what it holds. */
export interface Place {
  url: string;
  /** Sent with every request: who asks. */
  headers?: Record<string, string>;
  /** Values for path parameters. */
  records: Record<string, string>;
  /** Puts the gateway into the state for as long as the requests to it take. */
  during?<T>(act: () => Promise<T>): Promise<T>;
}

export type Places = Record<string, Place>;

/** States that every composition can have. Others are its own. */
export const well = 'well';
export const starting = 'starting';
export const damaged = 'damaged';
/** Asked by somebody whom it does not know, by one who may not, and by one who has asked too often. */
export const stranger = 'asked by a stranger';
export const powerless = 'asked by somebody who may not';
export const spent = 'asked too often';
/** It was given nothing that a deployment may lack. */
export const lean = 'without what a deployment may lack';
/** It cannot read who may do what. */
export const forgetful = 'without its control store';
/** No room in the database; none in its log. */
export const full = 'full';
export const fullLog = 'with a full log';

/** The calls answer that the store cannot be used, where it is damaged. */
export const onDamaged = (...calls: (Call | Provocation)[]): Provocation[] =>
  calls.map((call) => ({ ...(typeof call === 'string' ? { call } : call), at: damaged, status: 503, code: 'storage_unavailable' }));
