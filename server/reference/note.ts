/**
 * What the API document says of an operation beyond its declaration: a description for somebody who does not know the product, and one
 * example that holds together. Kept apart from the contract, so that the viewer does not carry it.
 */
import type { z } from 'zod';
import type { Route } from '../../shared/contract/core/route.ts';

export interface Note {
  /** What it does, what to know before calling it, what it answers in the cases that are not obvious. Markdown. */
  description: string;
  path?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: unknown;
  /** What the first of the success statuses answers. Nothing for replies that are no JSON. */
  reply?: unknown;
}

type Sent<R extends Route, K extends 'params' | 'query' | 'body'> = R[K] extends z.ZodType ? z.input<R[K]> : never;
type Part<R extends Route, K extends 'params' | 'query' | 'body', N extends string> = [Sent<R, K>] extends [never]
  ? unknown
  : Record<never, never> extends Sent<R, K>
    ? { [name in N]?: Sent<R, K> }
    : { [name in N]: Sent<R, K> };

type NoteOf<R extends Route> = { description: string; reply?: z.output<R['reply']> } & Part<R, 'params', 'path'> &
  Part<R, 'query', 'query'> &
  Part<R, 'body', 'body'>;

/** Ties notes to the routes of a group: an example of another shape than the declaration does not compile. */
export function notesOn<G extends Record<string, Route>>(group: G, notes: { [K in keyof G]?: NoteOf<G[K]> }): Record<string, Note> {
  return Object.fromEntries(Object.entries(notes).map(([name, note]) => [(group[name] as Route).id, note as Note]));
}
