import type { TagCount } from '../../../../shared/contract/tracing/trace-tags.ts';
import { storedTags } from '../file/damaged.ts';
import { noRow } from './lookup.ts';
import type { ReadContext } from './read-context.ts';

interface TagsRow {
  tags: string;
  added_tags: string;
}

/** Tags of some traces. */
export class TagReads {
  readonly #context: ReadContext;
  readonly #tags;

  constructor(context: ReadContext) {
    this.#context = context;
    this.#tags = context.db.prepare<[number], TagsRow>('SELECT tags, added_tags FROM trace WHERE id = ?');
  }

  /** In the order of their names. */
  find(scope: number, traceIds: readonly string[]): TagCount[] {
    const { lookup, damageReporter } = this.#context;
    const counts = new Map<string, TagCount>();
    for (const id of new Set(traceIds.map((traceId) => lookup.trace(scope, traceId)))) {
      const row = id === noRow ? undefined : this.#tags.get(id);
      const read = (list: string | undefined) => damageReporter.read('trace', id, () => storedTags(list ?? '[]')) ?? [];
      const added = new Set(read(row?.added_tags));
      for (const tag of new Set(read(row?.tags))) {
        const count = counts.get(tag) ?? { tag, traces: 0, added: 0 };
        counts.set(tag, { tag, traces: count.traces + 1, added: count.added + Number(added.has(tag)) });
      }
    }
    return [...counts.values()].sort((a, b) => (a.tag < b.tag ? -1 : 1));
  }
}
