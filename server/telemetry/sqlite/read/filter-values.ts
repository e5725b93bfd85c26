/** Stored values of a filter field by prefix, from the term dictionary. */
import { termKey } from '../file/codes.ts';
import type { ReadContext } from './read-context.ts';

const keys: Record<string, string> = {
  model: termKey.model,
  user_id: termKey.user,
  session_id: termKey.session,
  prompt_name: termKey.prompt,
  semantic_kind: termKey.kind,
  tags: termKey.tag,
  environment: termKey.environment,
  name: termKey.name,
  span_name: termKey.name,
  service: termKey.service,
};

const metadata = termKey.metadata('');

export class FilterValueReads {
  readonly #context: ReadContext;
  readonly #values;
  readonly #nextKey;

  constructor(context: ReadContext) {
    this.#context = context;
    this.#values = context.db
      .prepare<[number, string, string], string>('SELECT value FROM term WHERE scope = ? AND key = ? AND value >= ? ORDER BY value')
      .pluck();
    this.#nextKey = context.db.prepare<[number, string], string>('SELECT min(key) FROM term WHERE scope = ? AND key > ?').pluck();
  }

  values(scope: number, { field, prefix, limit }: { field: string; prefix: string; limit: number }): string[] {
    if (field === 'metadata') return this.#metadataKeys(scope, prefix, limit);
    if (field === 'score')
      return this.#context.scores
        .names(scope)
        .filter((name) => name.startsWith(prefix))
        .slice(0, limit);
    const key = field.startsWith(metadata) ? field : Object.hasOwn(keys, field) ? keys[field] : undefined;
    if (key === undefined) return [];
    const found: string[] = [];
    for (const value of this.#values.iterate(scope, key, prefix)) {
      if (found.length === limit || !value.startsWith(prefix)) break;
      if (value !== '') found.push(value);
    }
    return found;
  }

  /** Skips from key to key, however many values each has. */
  #metadataKeys(scope: number, prefix: string, limit: number): string[] {
    const found: string[] = [];
    // The prefix itself may be a key, so the search starts just before it.
    let after = `${metadata}${prefix}`.slice(0, -1);
    while (found.length < limit) {
      this.#context.limit.check();
      const key = this.#nextKey.get(scope, after);
      if (!key?.startsWith(metadata)) break;
      after = key;
      const name = key.slice(metadata.length);
      if (name.startsWith(prefix)) found.push(name);
      else if (name > prefix) break;
    }
    return found;
  }
}
