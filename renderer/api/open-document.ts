/** Open document: its rows on screen and the actions on them. The value stays in the worker. */
import type { JsonRow } from '../model/text/json-tree.ts';
import type { DocumentSource } from './document-tasks.ts';
import { askDocuments } from './documents.ts';

export interface DocumentState {
  phase: 'opening' | 'open' | 'failed';
  error: unknown;
  form: 'json' | 'text';
  /** Characters of the text it was read from; 0 when it was no text. */
  size: number;
  count: number;
  rows: ReadonlyMap<number, JsonRow>;
  words: string;
  /** Null while a search runs. */
  found: number | null;
  /** Current match, and the last selected row. */
  match: number;
  chosen: number | null;
}

const initial: DocumentState = {
  phase: 'opening',
  error: null,
  form: 'json',
  size: 0,
  count: 0,
  rows: new Map(),
  words: '',
  found: 0,
  match: -1,
  chosen: null,
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
    askDocuments('open', { source }).then(
      ({ document, count, size, form }) => {
        this.#id = document;
        if (this.#isClosed) return this.close();
        this.#become({ phase: 'open', count, size, form });
        return this.#load();
      },
      (error: unknown) => this.#become({ phase: 'failed', error }),
    );
  }

  readonly state = () => this.#state;

  readonly watch = (changed: () => void) => {
    this.#watchers.add(changed);
    return () => void this.#watchers.delete(changed);
  };

  close(): void {
    this.#isClosed = true;
    if (this.#id !== null) void askDocuments('close', { document: this.#id });
    this.#id = null;
  }

  /** The rows on screen. */
  show(from: number, to: number): void {
    const { rows } = this.#state;
    const isThere = rows.has(from) && rows.has(Math.min(to, this.#state.count) - 1);
    this.#range = [from, to];
    if (!isThere) void this.#load();
  }

  readonly choose = (at: number | null): void => this.#become({ chosen: at });

  async toggle(at: number): Promise<void> {
    if (this.#id === null) return;
    await this.#changed(askDocuments('toggle', { document: this.#id, at }));
  }

  async openTo(depth: number): Promise<void> {
    if (this.#id === null) return;
    await this.#changed(askDocuments('openTo', { document: this.#id, depth }));
  }

  async search(words: string): Promise<void> {
    if (this.#id === null) return;
    this.#become({ words, found: words === '' ? 0 : null, match: -1 });
    const { found } = await askDocuments('search', { document: this.#id, words });
    if (this.#state.words !== words) return;
    this.#become({ found });
    if (found > 0) await this.goTo(0);
  }

  /** The match before or after, round and round. */
  async goTo(match: number): Promise<void> {
    const { found } = this.#state;
    if (this.#id === null || !found) return;
    const next = ((match % found) + found) % found;
    this.#become({ match: next });
    const { at, count } = await askDocuments('reveal', { document: this.#id, match: next });
    this.#become({ count, chosen: at, rows: new Map() });
    await this.#load();
  }

  readonly value = (at: number, from: number, to: number): Promise<{ path: string; text: string; size: number }> =>
    this.#id === null ? Promise.reject(new Error('Not open')) : askDocuments('value', { document: this.#id, at, from, to });

  async #changed(count: Promise<number>): Promise<void> {
    const now = await count;
    this.#become({ count: now });
    await this.#load();
  }

  async #load(): Promise<void> {
    if (this.#id === null) return;
    const [from, to] = this.#range;
    const first = Math.max(0, from - margin);
    const rows = await askDocuments('rows', { document: this.#id, from: first, to: to + margin });
    if (this.#range[0] === from) this.#become({ rows: new Map(rows.map((row) => [row.at, row])) });
  }

  #become(change: Partial<DocumentState>): void {
    this.#state = { ...this.#state, ...change };
    for (const changed of this.#watchers) changed();
  }
}
