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
  headers?: Record<string, string>;
  /** An object goes as JSON, bytes as they are. */
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

/** A running gateway in some state, and what is known of what it holds. */
export interface Place {
  url: string;
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
/** No room in the database; none in its log. */
export const full = 'full';
export const fullLog = 'with a full log';

/** The calls answer that the store cannot be used, where it is damaged. */
export const onDamaged = (...calls: (Call | Provocation)[]): Provocation[] =>
  calls.map((call) => ({ ...(typeof call === 'string' ? { call } : call), at: damaged, status: 503, code: 'storage_unavailable' }));
