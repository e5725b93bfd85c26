import { must } from '../../../platform/assert.ts';
import { remoteCalls } from '../../../platform/remote-calls.ts';
import { Encoded } from '../../encoded.ts';
import type { ReadCall, RemoteReads } from './read-calls.ts';
import type { ReadReply } from './read-thread.ts';

export type ReadDone = Extract<ReadReply, { kind: 'read' }>;

/** Every read as a function. */
export const remoteReads = (ask: (call: ReadCall) => Promise<ReadDone>): RemoteReads =>
  remoteCalls(async (method, args) => receive(method, await ask({ method, args } as ReadCall)));

/** Decodes as `Received` declares: a page has a total, a file has bytes, anything else is the JSON value. */
export function receive(method: string, { json, total, totalIsLowerBound, bytes }: ReadDone): unknown {
  if (total !== null)
    return { data: new Encoded(must(json, `${method} answers a list`)), total, ...(totalIsLowerBound && { totalIsLowerBound }) };
  if (bytes) return { ...new Encoded<object>(must(json, `${method} answers with bytes`)).decode(), bytes };
  return json === null ? null : new Encoded(json);
}
