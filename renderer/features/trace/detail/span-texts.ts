/**
 * Texts of visible spans, fetched in batches and cached. A span that has ended since its texts were fetched is fetched again; its old texts
 * stay until then.
 */
import { useEffect, useSyncExternalStore } from 'react';
import type { SpanPreview } from '../../../../shared/contract/tracing/trace-outline.ts';
import { gateway } from '../../../api/client.ts';
import { asFailure } from '../../../api/failure.ts';
import type { SpanTree } from '../../../model/trace/span-tree.ts';

const idsMax = 100;
/** About 20 MB at most: previews are truncated at 8 KiB per field. */
const cachedMax = 1500;

interface Entry {
  text: SpanPreview;
  version: string;
}

type ReadPreviews = (ids: string) => Promise<SpanPreview[]>;

const ofTrace =
  (traceId: string): ReadPreviews =>
  async (ids) =>
    (await gateway.traceViewer.previews({ params: { traceId }, query: { ids } })).data;

export class SpanTexts {
  readonly #read: ReadPreviews;
  readonly #entries = new Map<string, Entry>();
  readonly #requested = new Map<string, string>();
  readonly #listeners = new Set<() => void>();
  #problem: string | null = null;

  /** @param read of a shared trace, with its link */
  constructor(traceId: string, read: ReadPreviews = ofTrace(traceId)) {
    this.#read = read;
  }

  readonly watch = (changed: () => void) => {
    this.#listeners.add(changed);
    return () => void this.#listeners.delete(changed);
  };

  /** Why the last request failed; null when it succeeded. */
  readonly problem = (): string | null => this.#problem;

  readonly get = (id: string): SpanPreview | undefined => this.#entries.get(id)?.text;

  /** Fetches missing or stale texts of the spans at these positions. A failed request is repeated by the next call. */
  want(tree: SpanTree, places: Iterable<number>): void {
    const missing: [string, string][] = [];
    for (const at of places) {
      const [id, version] = [tree.idAt(at), versionOf(tree, at)];
      const entry = this.#entries.get(id);
      if (entry?.version !== version && this.#requested.get(id) !== version) missing.push([id, version]);
    }
    for (let from = 0; from < missing.length; from += idsMax) void this.#fetch(missing.slice(from, from + idsMax));
  }

  async #fetch(missing: [string, string][]): Promise<void> {
    for (const [id, version] of missing) this.#requested.set(id, version);
    try {
      const ids = missing.map(([id]) => id).join();
      const data = await this.#read(ids);
      const versions = new Map(missing);
      for (const text of data) this.#cache(text, versions.get(text.id) ?? '');
      this.#problem = null;
    } catch (error) {
      // Rows work without texts.
      this.#problem = asFailure(error, '').why;
    } finally {
      for (const [id] of missing) this.#requested.delete(id);
      for (const changed of this.#listeners) changed();
    }
  }

  #cache(text: SpanPreview, version: string): void {
    this.#entries.delete(text.id);
    this.#entries.set(text.id, { text, version });
    if (this.#entries.size <= cachedMax) return;
    const [oldest] = this.#entries.keys();
    if (oldest !== undefined) this.#entries.delete(oldest);
  }
}

/** Changes when the span ends or its columns are derived again. */
const versionOf = (tree: SpanTree, at: number) =>
  `${tree.flags[at]} ${tree.status[at]} ${tree.outline.spans.duration_us[tree.order[at] as number]}`;

/** Texts of one span; undefined until they have loaded. */
export const useSpanText = (texts: SpanTexts, id: string): SpanPreview | undefined =>
  useSyncExternalStore(texts.watch, () => texts.get(id));

const restMs = 60;

/** Fetches texts of rows that stay visible; fast scrolling fetches nothing. */
export function useVisibleTexts(texts: SpanTexts, tree: SpanTree, rows: Int32Array, first: number, last: number): void {
  useEffect(() => {
    const timer = setTimeout(() => texts.want(tree, rows.subarray(Math.max(0, first), last + 1)), restMs);
    return () => clearTimeout(timer);
  }, [texts, tree, rows, first, last]);
}
