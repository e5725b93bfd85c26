/**
 * Holds values that are too large for the page's thread: fetches, parses, folds and searches them, and answers with the rows on screen, so
 * that 50 MB open without blocking.
 */
import { searchJson, searchText } from '../model/text/json-search.ts';
import { type JsonPath, JsonTree, pathInWords } from '../model/text/json-tree.ts';
import { readJson } from '../model/text/read-json.ts';
import { TextLines } from '../model/text/text-lines.ts';
import { at, lighten } from '../model/trace/lighten.ts';
import type { DocumentSource, DocumentTask, DocumentTasks, Opened, TaskAnswer, TaskRequest } from './document-tasks.ts';

class Refused extends Error {
  readonly status: number;
  readonly body: unknown;
  constructor(status: number, body: unknown, message: string) {
    super(message);
    this.status = status;
    this.body = body;
  }
}

/** Credential and app headers of all requests, constant for the life of the page. */
let ofThePage: Record<string, string> = {};

async function fetched(path: string): Promise<unknown> {
  const answer = await fetch(path, { headers: { accept: 'application/json', ...ofThePage } }).catch((cause: unknown) => {
    throw new Refused(0, null, String(cause));
  });
  const body = (await answer.json().catch((cause: unknown) => {
    throw new Refused(0, null, String(cause));
  })) as { data?: unknown };
  if (!answer.ok) throw new Refused(answer.status, body, `The gateway answered ${answer.status}`);
  return body.data;
}

/** The latest answers, so that a part of one is opened without asking again. */
const kept = new Map<string, Promise<unknown>>();
const keptMax = 2;

function answerOf(path: string): Promise<unknown> {
  const known = kept.get(path);
  if (known) return known;
  const asked = fetched(path);
  kept.set(path, asked);
  asked.catch(() => kept.delete(path));
  for (const oldest of kept.keys()) if (kept.size > keptMax) kept.delete(oldest);
  return asked;
}

interface Held {
  view: JsonTree | TextLines;
  value: unknown;
  matches: (JsonPath | number)[];
  /** Counts searches: an older one stops when a newer one begins. */
  search: number;
}

const documents = new Map<number, Held>();
let last = 0;

function held(id: number): Held {
  const found = documents.get(id);
  if (!found) throw new Refused(0, null, 'This document was closed');
  return found;
}

const only = (value: unknown, fields: readonly string[] | undefined): unknown =>
  fields ? Object.fromEntries(fields.map((field) => [field, at(value, [field])])) : value;

async function open({ source }: { source: DocumentSource }): Promise<Opened> {
  const value = 'text' in source ? source.text : only(at(await answerOf(source.path), source.pick), source.fields);
  const parsed = typeof value === 'string' ? readJson(value) : value;
  const isJson = typeof parsed === 'object' && parsed !== null;
  const view = isJson ? new JsonTree(parsed) : new TextLines(typeof value === 'string' ? value : String(value ?? ''));
  // Opens the document to a depth that fits a few screens.
  if (view instanceof JsonTree) view.openTo(2, 400);
  documents.set(++last, { view, value: isJson ? parsed : value, matches: [], search: 0 });
  return { document: last, count: view.count, size: typeof value === 'string' ? value.length : 0, form: isJson ? 'json' : 'text' };
}

const moment = () => new Promise((resolve) => setTimeout(resolve));

async function search({ document, words }: { document: number; words: string }): Promise<{ found: number }> {
  const doc = held(document);
  const mine = ++doc.search;
  const matches: (JsonPath | number)[] = [];
  const found = doc.view instanceof TextLines ? searchText(doc.view.text, words) : searchJson(doc.value, words);
  for (const match of words === '' ? [] : found) {
    if (match !== undefined) matches.push(match);
    else await moment();
    if (doc.search !== mine) return { found: 0 };
  }
  doc.matches = matches;
  return { found: matches.length };
}

function reveal({ document, match }: { document: number; match: number }) {
  const { view, matches } = held(document);
  const place = matches[match];
  const row = place === undefined ? 0 : view instanceof TextLines ? view.rowAt(Number(place)) : view.reveal(place as JsonPath);
  return { at: row, count: view.count };
}

function value({ document, at: row, from, to }: DocumentTasks['value']['asked']) {
  const { view } = held(document);
  const found = view instanceof TextLines ? view.text : view.value(row);
  const text = typeof found === 'string' ? found : (JSON.stringify(found, null, 2) ?? '');
  const path = view instanceof TextLines ? `line ${row + 1}` : pathInWords(view.path(row));
  return { path, text: text.slice(from, to), size: text.length };
}

const tasks: {
  [T in DocumentTask]: (asked: DocumentTasks[T]['asked']) => Promise<DocumentTasks[T]['answer']> | DocumentTasks[T]['answer'];
} = {
  read: async ({ path, textMax }) => lighten(await answerOf(path), textMax),
  open,
  close: ({ document }) => {
    documents.delete(document);
    return null;
  },
  rows: ({ document, from, to }) => held(document).view.rows(from, to),
  toggle: ({ document, at: row }) => {
    const { view } = held(document);
    if (view instanceof JsonTree) view.toggle(row);
    return view.count;
  },
  openTo: ({ document, depth }) => {
    const { view } = held(document);
    if (view instanceof JsonTree) view.openTo(depth);
    return view.count;
  },
  search,
  reveal,
  value,
};

async function answer({ id, task, asked, headers }: TaskRequest): Promise<TaskAnswer> {
  ofThePage = headers;
  try {
    return { id, value: await (tasks[task] as (asked: unknown) => unknown)(asked) };
  } catch (cause) {
    const { status = 0, body = null } = cause instanceof Refused ? cause : {};
    return { id, failure: { status, body, message: cause instanceof Error ? cause.message : String(cause) } };
  }
}

self.addEventListener('message', ({ data }: MessageEvent<TaskRequest>) => void answer(data).then((done) => self.postMessage(done)));
