/** Calls to a reader thread and their results, both inferred from the reads. */
import type { Scope } from '../../../platform/scope.ts';
import type { Encoded, EncodedPage } from '../../encoded.ts';
import type { ReadFile, ReadPage } from './read-answer.ts';
import type { Reads } from './reads.ts';

type Group = keyof Reads;

/** `traces.list` and so on. */
export type ReadMethod = { [G in Group]: `${G}.${keyof Reads[G] & string}` }[Group];

/** The read of that name. */
type ReadOf<M extends ReadMethod> = M extends `${infer G extends Group}.${infer N}` ? Reads[G][N & keyof Reads[G]] : never;

type ArgsOf<Read> = Read extends (scope: number, ...args: infer A) => unknown ? A : never;

/** The caller passes the ids of a scope, the read gets its row id. */
export type ReadArgs<M extends ReadMethod> = [scope: Scope, ...args: ArgsOf<ReadOf<M>>];

export type ReadAnswer<M extends ReadMethod> = ReadOf<M> extends (...args: never[]) => infer R ? R : never;

/** Call of one read. */
export type ReadCall = { [M in ReadMethod]: { method: M; args: ReadArgs<M> } }[ReadMethod];

/** All reads as seen from outside the thread. */
export type RemoteReads = { readonly [G in Group]: { readonly [N in keyof Reads[G]]: Remote<Reads[G][N]> } };

type Remote<Read> = Read extends (scope: number, ...args: infer A) => infer R
  ? (scope: Scope, ...args: A) => Promise<ReceivedOrNull<R>>
  : never;

type ReceivedOrNull<R> = (null extends R ? null : never) | Received<NonNullable<R>>;

type Received<R> = [R] extends [ReadPage<infer T>]
  ? EncodedPage<T>
  : [R] extends [ReadFile<infer T>]
    ? T & { bytes: Uint8Array<ArrayBuffer> }
    : [R] extends [Encoded<infer T>]
      ? Encoded<T>
      : Encoded<R>;
