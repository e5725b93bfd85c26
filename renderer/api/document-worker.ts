/**
 * Holds values that are too large for the page's thread: fetches, parses, collapses and searches them, and returns the rows on screen, so
 * that 50 MB open without blocking.
 */
import { searchJson, searchText } from '../model/text/json-search.ts';
import { formatPath, type JsonPath, JsonTree } from '../model/text/json-tree.ts';
import { readJson } from '../model/text/read-json.ts';
import { TextLines } from '../model/text/text-lines.ts';
import { at, truncateTexts } from '../model/trace/truncate-texts.ts';
import type { DocumentSource, DocumentTask, DocumentTasks, OpenedDocument, TaskRequest, TaskResponse } from './document-tasks.ts';

class RequestFailed extends Error {
  readonly status: number;
  readonly body: unknown;
  constructor(status: number, body: unknown, message: string) {
    super(message);
    this.status = status;
    this.body = body;
  }
}

/** Credential and app headers of all requests, constant for the life of the page. */
let pageHeaders: Record<string, string> = {};

async function fetchData(path: string): Promise<unknown> {
  const respond = await fetch(path, { headers: { accept: 'application/json', ...pageHeaders } }).catch((cause: unknown) => {
    throw new RequestFailed(0, null, String(cause));
  });
  const body = (await respond.json().catch((cause: unknown) => {
    throw new RequestFailed(0, null, String(cause));
  })) as { data?: unknown };
  if (!respond.ok) throw new RequestFailed(respond.status, body, `The gateway answered ${respond.status}`);
  return body.data;
}

/** The latest responses, so that a part of one can be opened without another request. */
const cache = new Map<string, Promise<unknown>>();
const cacheMax = 2;

function cachedData(path: string): Promise<unknown> {
  const cached = cache.get(path);
  if (cached) return cached;
  const params = fetchData(path);
  cache.set(path, params);
  params.catch(() => cache.delete(path));
  for (const oldest of cache.keys()) if (cache.size > cacheMax) cache.delete(oldest);
  return params;
}

interface StoredDocument {
  view: JsonTree | TextLines;
  value: unknown;
  matches: (JsonPath | number)[];
  /** Counts searches: a search stops when a newer one has started. */
  search: number;
}

const documents = new Map<number, StoredDocument>();
let lastId = 0;

function documentOf(id: number): StoredDocument {
  const found = documents.get(id);
  if (!found) throw new RequestFailed(0, null, 'This document was closed');
  return found;
}

const pickFields = (value: unknown, fields: readonly string[] | undefined): unknown =>
  fields ? Object.fromEntries(fields.map((field) => [field, at(value, [field])])) : value;

async function open({ source }: { source: DocumentSource }): Promise<OpenedDocument> {
  const value = 'text' in source ? source.text : pickFields(at(await cachedData(source.path), source.pick), source.fields);
  const parsed = typeof value === 'string' ? readJson(value) : value;
  const isJson = typeof parsed === 'object' && parsed !== null;
  const view = isJson ? new JsonTree(parsed) : new TextLines(typeof value === 'string' ? value : String(value ?? ''));
  // Opens the document to a depth that fits a few screens.
  if (view instanceof JsonTree) view.openTo(2, 400);
  documents.set(++lastId, { view, value: isJson ? parsed : value, matches: [], search: 0 });
  return { document: lastId, count: view.count, size: typeof value === 'string' ? value.length : 0, form: isJson ? 'json' : 'text' };
}

const nextTask = () => new Promise((resolve) => setTimeout(resolve));

async function search({ document, query }: { document: number; query: string }): Promise<{ matchCount: number }> {
  const doc = documentOf(document);
  const searchId = ++doc.search;
  const matches: (JsonPath | number)[] = [];
  const candidates = doc.view instanceof TextLines ? searchText(doc.view.text, query) : searchJson(doc.value, query);
  for (const match of query === '' ? [] : candidates) {
    if (match !== undefined) matches.push(match);
    else await nextTask();
    if (doc.search !== searchId) return { matchCount: 0 };
  }
  doc.matches = matches;
  return { matchCount: matches.length };
}

function reveal({ document, match }: { document: number; match: number }) {
  const { view, matches } = documentOf(document);
  const matched = matches[match];
  const row = matched === undefined ? 0 : view instanceof TextLines ? view.rowAt(Number(matched)) : view.reveal(matched as JsonPath);
  return { at: row, count: view.count };
}

function value({ document, at: row, from, to }: DocumentTasks['value']['params']) {
  const { view } = documentOf(document);
  const found = view instanceof TextLines ? view.text : view.value(row);
  const text = typeof found === 'string' ? found : (JSON.stringify(found, null, 2) ?? '');
  const path = view instanceof TextLines ? `line ${row + 1}` : formatPath(view.path(row));
  return { path, text: text.slice(from, to), size: text.length };
}

const tasks: {
  [T in DocumentTask]: (params: DocumentTasks[T]['params']) => Promise<DocumentTasks[T]['result']> | DocumentTasks[T]['result'];
} = {
  read: async ({ path, textMax }) => truncateTexts(await cachedData(path), textMax),
  open,
  close: ({ document }) => {
    documents.delete(document);
    return null;
  },
  rows: ({ document, from, to }) => documentOf(document).view.rows(from, to),
  toggle: ({ document, at: row }) => {
    const { view } = documentOf(document);
    if (view instanceof JsonTree) view.toggle(row);
    return view.count;
  },
  openTo: ({ document, depth }) => {
    const { view } = documentOf(document);
    if (view instanceof JsonTree) view.openTo(depth);
    return view.count;
  },
  search,
  reveal,
  value,
};

async function respond({ id, task, params, headers }: TaskRequest): Promise<TaskResponse> {
  pageHeaders = headers;
  try {
    return { id, value: await (tasks[task] as (params: unknown) => unknown)(params) };
  } catch (cause) {
    const { status = 0, body = null } = cause instanceof RequestFailed ? cause : {};
    return { id, failure: { status, body, message: cause instanceof Error ? cause.message : String(cause) } };
  }
}

self.addEventListener('message', ({ data }: MessageEvent<TaskRequest>) => void respond(data).then((done) => self.postMessage(done)));
