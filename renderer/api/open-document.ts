/** Open document: its rows on screen and the actions on them. The value stays in the worker. */
import type { JsonRow } from '../model/text/json-tree.ts';
import type { DocumentSource } from './document-tasks.ts';
import { runDocumentTask } from './documents.ts';

export interface DocumentState {
  phase: 'opening' | 'open' | 'failed';
  error: unknown;
  form: 'json' | 'text';
  /** Characters of the text it was read from; 0 for a value that was not text. */
  size: number;
  count: number;
  rows: ReadonlyMap<number, JsonRow>;
  query: string;
  /** Number of matches; null while a search runs. */
  matchCount: number | null;
  /** Current match, and the last selected row. */
  match: number;
  selected: number | null;
}

const initial: DocumentState = {
  phase: 'opening',
  error: null,
  form: 'json',
  size: 0,
  count: 0,
  rows: new Map(),
  query: '',
  matchCount: 0,
  match: -1,
  selected: null,
};

/** Rows fetched beyond those on screen. */
const margin = 40;

export class OpenDocument {
  #state = initial;
  #id: number | null = null;
  #isClosed = false;
  #watchers = new Set<() => void>();
  #range: readonly [number, number] = [0, 60];

  constructor(source: DocumentSource) {
    runDocumentTask('open', { source }).then(
      ({ document, count, size, form }) => {
        this.#id = document;
        if (this.#isClosed) return this.close();
        this.#update({ phase: 'open', count, size, form });
        return this.#load();
      },
      (error: unknown) => this.#update({ phase: 'failed', error }),
    );
  }

  readonly state = () => this.#state;

  readonly watch = (onChange: () => void) => {
    this.#watchers.add(onChange);
    return () => void this.#watchers.delete(onChange);
  };

  close(): void {
    this.#isClosed = true;
    if (this.#id !== null) void runDocumentTask('close', { document: this.#id });
    this.#id = null;
  }

  /** Reports which rows are on screen. */
  show(from: number, to: number): void {
    const { rows } = this.#state;
    const isLoaded = rows.has(from) && rows.has(Math.min(to, this.#state.count) - 1);
    this.#range = [from, to];
    if (!isLoaded) void this.#load();
  }

  readonly select = (at: number | null): void => this.#update({ selected: at });

  async toggle(at: number): Promise<void> {
    if (this.#id === null) return;
    await this.#refreshCount(runDocumentTask('toggle', { document: this.#id, at }));
  }

  async openTo(depth: number): Promise<void> {
    if (this.#id === null) return;
    await this.#refreshCount(runDocumentTask('openTo', { document: this.#id, depth }));
  }

  async search(query: string): Promise<void> {
    if (this.#id === null) return;
    this.#update({ query, matchCount: query === '' ? 0 : null, match: -1 });
    const { matchCount } = await runDocumentTask('search', { document: this.#id, query });
    if (this.#state.query !== query) return;
    this.#update({ matchCount });
    if (matchCount > 0) await this.goTo(0);
  }

  /** Goes to a match; wraps around at both ends. */
  async goTo(match: number): Promise<void> {
    const { matchCount } = this.#state;
    if (this.#id === null || !matchCount) return;
    const next = ((match % matchCount) + matchCount) % matchCount;
    this.#update({ match: next });
    const { at, count } = await runDocumentTask('reveal', { document: this.#id, match: next });
    this.#update({ count, selected: at, rows: new Map() });
    await this.#load();
  }

  readonly value = (at: number, from: number, to: number): Promise<{ path: string; text: string; size: number }> =>
    this.#id === null ? Promise.reject(new Error('Not open')) : runDocumentTask('value', { document: this.#id, at, from, to });

  async #refreshCount(count: Promise<number>): Promise<void> {
    const rowCount = await count;
    this.#update({ count: rowCount });
    await this.#load();
  }

  async #load(): Promise<void> {
    if (this.#id === null) return;
    const [from, to] = this.#range;
    const first = Math.max(0, from - margin);
    const rows = await runDocumentTask('rows', { document: this.#id, from: first, to: to + margin });
    if (this.#range[0] === from) this.#update({ rows: new Map(rows.map((row) => [row.at, row])) });
  }

  #update(change: Partial<DocumentState>): void {
    this.#state = { ...this.#state, ...change };
    for (const onChange of this.#watchers) onChange();
  }
}
