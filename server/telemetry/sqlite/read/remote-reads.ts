import { must } from '../../../platform/assert.ts';
import { Encoded } from '../../encoded.ts';
import type { ReadCall, RemoteReads } from './read-calls.ts';
import type { ReadReply } from './read-thread.ts';

export type ReadDone = Extract<ReadReply, { kind: 'read' }>;

/** Proxy with every read as a function. The types limit the names; at run time any name becomes a call. */
export function remoteReads(ask: (call: ReadCall) => Promise<ReadDone>): RemoteReads {
  const read =
    (method: string) =>
    async (...args: unknown[]) =>
      receive(method, await ask({ method, args } as ReadCall));
  return named((group) => named((name) => read(`${group}.${name}`))) as unknown as RemoteReads;
}

/** Object that creates its members on first access. */
function named<T>(make: (name: string) => T): Record<string, T> {
  const made: Record<string, T> = Object.create(null);
  return new Proxy(made, {
    get: (_, name) => {
      // `await` asks an object for `then`, and tools ask for symbols.
      if (typeof name === 'symbol' || name === 'then') return undefined;
      made[name] ??= make(name);
      return made[name];
    },
  });
}

/** Decodes as `Received` declares: a page has a total, a file has bytes, anything else is the JSON value. */
function receive(method: string, { json, total, bytes }: ReadDone): unknown {
  if (total !== null) return { data: new Encoded(must(json, `${method} answers a list`)), total };
  if (bytes) return { ...new Encoded<object>(must(json, `${method} answers with bytes`)).decode(), bytes };
  return json === null ? null : new Encoded(json);
}
