/** Messages between the page and the worker that holds large documents (document-worker.ts, documents.ts). */
import type { JsonPath, JsonRow } from '../model/text/json-tree.ts';
import type { Truncated } from '../model/trace/truncate-texts.ts';

/** Text of the page, or the path of a response that only the worker reads, limited to `fields`. */
export type DocumentSource = { text: string } | { path: string; pick: JsonPath; fields?: readonly string[] };

export interface OpenedDocument {
  document: number;
  count: number;
  /** Characters of the text it was read from. */
  size: number;
  form: 'json' | 'text';
}

export interface DocumentTasks {
  /** Reads a response of the gateway, with texts over `textMax` characters truncated. */
  read: { params: { path: string; textMax: number }; result: Truncated<unknown> };
  open: { params: { source: DocumentSource }; result: OpenedDocument };
  close: { params: { document: number }; result: null };
  rows: { params: { document: number; from: number; to: number }; result: JsonRow[] };
  /** The number of rows afterwards. */
  toggle: { params: { document: number; at: number }; result: number };
  openTo: { params: { document: number; depth: number }; result: number };
  search: { params: { document: number; query: string }; result: { matchCount: number } };
  /** Expands the ancestors of a search match. */
  reveal: { params: { document: number; match: number }; result: { at: number; count: number } };
  /** The value of a row as text, from one character to another, with its path. */
  value: { params: { document: number; at: number; from: number; to: number }; result: { path: string; text: string; size: number } };
}

export type DocumentTask = keyof DocumentTasks;
/** `headers` are added to all requests. */
export type TaskRequest = {
  [T in DocumentTask]: { id: number; task: T; params: DocumentTasks[T]['params']; headers: Record<string, string> };
}[DocumentTask];
export type TaskResponse =
  | { id: number; value: unknown }
  /** `status` 0: nothing answered. */
  | { id: number; failure: { status: number; body: unknown; message: string } };
