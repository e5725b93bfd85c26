/**
 * What the API document says about an operation beyond its declaration: a description for readers who do not know the product, and one
 * consistent example. Separate from the contract, so that the viewer does not bundle it.
 */
import type { z } from 'zod';
import type { Route } from '../../shared/contract/core/route.ts';

export interface Note {
  /** What it does, what to know before calling it, and its answers in cases that are not obvious. Markdown. */
  description: string;
  path?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: unknown;
  /** The reply of the first success status. Absent for replies that are not JSON. */
  reply?: unknown;
}

type PartInput<R extends Route, K extends 'params' | 'query' | 'body'> = R[K] extends z.ZodType ? z.input<R[K]> : never;
type Part<R extends Route, K extends 'params' | 'query' | 'body', N extends string> = [PartInput<R, K>] extends [never]
  ? unknown
  : Record<never, never> extends PartInput<R, K>
    ? { [name in N]?: PartInput<R, K> }
    : { [name in N]: PartInput<R, K> };

type NoteOf<R extends Route> = { description: string; reply?: z.output<R['reply']> } & Part<R, 'params', 'path'> &
  Part<R, 'query', 'query'> &
  Part<R, 'body', 'body'>;

/** Links notes to the routes of a group: an example that does not match the declaration does not compile. */
export function notesOn<G extends Record<string, Route>>(group: G, notes: { [K in keyof G]?: NoteOf<G[K]> }): Record<string, Note> {
  return Object.fromEntries(Object.entries(notes).map(([name, note]) => [(group[name] as Route).id, note as Note]));
}
