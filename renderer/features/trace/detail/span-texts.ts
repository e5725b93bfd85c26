/**
 * Texts of visible spans, fetched in windows and cached nearby. A span that ended since its texts were read is fetched again; the old texts
 * stay meanwhile.
 */
import { useEffect, useSyncExternalStore } from 'react';
import type { SpanPreview } from '../../../../shared/contract/tracing/trace-outline.ts';
import { gateway } from '../../../api/client.ts';
import type { SpanTree } from '../../../model/trace/span-tree.ts';

const idsMax = 100;
/** Some 20 MB at most: previews are cut at 8 KiB a field. */
const keptMax = 1500;

interface Entry {
  text: SpanPreview;
  mark: string;
}

export class SpanTexts {
  readonly #traceId: string;
  readonly #entries = new Map<string, Entry>();
  readonly #asked = new Map<string, string>();
  readonly #listeners = new Set<() => void>();

  constructor(traceId: string) {
    this.#traceId = traceId;
  }

  readonly watch = (changed: () => void) => {
    this.#listeners.add(changed);
    return () => void this.#listeners.delete(changed);
  };

  readonly get = (id: string): SpanPreview | undefined => this.#entries.get(id)?.text;

  /** Fetches missing or stale texts among these positions. A failed request is repeated with the next one. */
  want(tree: SpanTree, places: Iterable<number>): void {
    const missing: [string, string][] = [];
    for (const at of places) {
      const [id, mark] = [tree.idAt(at), markOf(tree, at)];
      const entry = this.#entries.get(id);
      if (entry?.mark !== mark && this.#asked.get(id) !== mark) missing.push([id, mark]);
    }
    for (let from = 0; from < missing.length; from += idsMax) void this.#ask(missing.slice(from, from + idsMax));
  }

  async #ask(wanted: [string, string][]): Promise<void> {
    for (const [id, mark] of wanted) this.#asked.set(id, mark);
    try {
      const ids = wanted.map(([id]) => id).join();
      const { data } = await gateway.traceViewer.previews({ params: { traceId: this.#traceId }, query: { ids } });
      const marks = new Map(wanted);
      for (const text of data) this.#keep(text, marks.get(text.id) ?? '');
      for (const changed of this.#listeners) changed();
    } catch {
      // Rows work without texts; other requests of the page report an unreachable gateway.
    } finally {
      for (const [id] of wanted) this.#asked.delete(id);
    }
  }

  #keep(text: SpanPreview, mark: string): void {
    this.#entries.delete(text.id);
    this.#entries.set(text.id, { text, mark });
    if (this.#entries.size <= keptMax) return;
    const [oldest] = this.#entries.keys();
    if (oldest !== undefined) this.#entries.delete(oldest);
  }
}

/** Fields that change when a span ends or its columns are derived again. */
const markOf = (tree: SpanTree, at: number) =>
  `${tree.flags[at]} ${tree.status[at]} ${tree.outline.spans.duration_us[tree.order[at] as number]}`;

/** The texts of one span, once they are here. */
export const useSpanText = (texts: SpanTexts, id: string): SpanPreview | undefined =>
  useSyncExternalStore(texts.watch, () => texts.get(id));

const restMs = 60;

/** Fetches texts of rows that stay visible; fast scrolling fetches nothing. */
export function useTextsInSight(texts: SpanTexts, tree: SpanTree, rows: Int32Array, first: number, last: number): void {
  useEffect(() => {
    const timer = setTimeout(() => texts.want(tree, rows.subarray(Math.max(0, first), last + 1)), restMs);
    return () => clearTimeout(timer);
  }, [texts, tree, rows, first, last]);
}
