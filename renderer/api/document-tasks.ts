/** Messages between the page and the worker with large documents (document-worker.ts, documents.ts). */
import type { JsonPath, JsonRow } from '../model/text/json-tree.ts';
import type { Light } from '../model/trace/lighten.ts';

/** Text of the page, or the URL of an answer that only the worker reads, limited to `fields`. */
export type DocumentSource = { text: string } | { path: string; pick: JsonPath; fields?: readonly string[] };

export interface Opened {
  document: number;
  count: number;
  /** Characters of the text it was read from. */
  size: number;
  form: 'json' | 'text';
}

export interface DocumentTasks {
  /** Reads an answer of the gateway, with texts over `textMax` characters cut. */
  read: { asked: { path: string; textMax: number }; answer: Light<unknown> };
  open: { asked: { source: DocumentSource }; answer: Opened };
  close: { asked: { document: number }; answer: null };
  rows: { asked: { document: number; from: number; to: number }; answer: JsonRow[] };
  /** The number of rows afterwards. */
  toggle: { asked: { document: number; at: number }; answer: number };
  openTo: { asked: { document: number; depth: number }; answer: number };
  search: { asked: { document: number; words: string }; answer: { found: number } };
  /** Expands the ancestors of a search match. */
  reveal: { asked: { document: number; match: number }; answer: { at: number; count: number } };
  /** The value of a row as text, from one character to another, with its path. */
  value: { asked: { document: number; at: number; from: number; to: number }; answer: { path: string; text: string; size: number } };
}

export type DocumentTask = keyof DocumentTasks;
/** `headers` are added to all requests. */
export type TaskRequest = {
  [T in DocumentTask]: { id: number; task: T; asked: DocumentTasks[T]['asked']; headers: Record<string, string> };
}[DocumentTask];
export type TaskAnswer =
  | { id: number; value: unknown }
  /** `status` 0: nothing answered. */
  | { id: number; failure: { status: number; body: unknown; message: string } };
