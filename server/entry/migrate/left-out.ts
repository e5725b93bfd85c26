/** What cannot be moved, because its stored bytes are damaged: the rest of its trace or conversation is moved, and not compared. */
import type { Scope } from '../../platform/scope.ts';
import { appKey } from '../../telemetry/clickhouse/write/app-key.ts';
import { isDamage } from '../../telemetry/sqlite/file/damaged.ts';
import { readStoredId } from '../../telemetry/sqlite/file/id-codec.ts';

interface StoredRow extends Scope {
  trace_id: unknown;
  /** Of a log record that was sent without a span. */
  conversation?: Buffer | null;
}

export class LeftOut {
  readonly #traces = new Map<string, Set<string>>();
  readonly #conversations = new Map<string, Set<string>>();

  /** Result of the read; null when the row is damaged, which is noted. */
  read<T>(row: StoredRow, read: () => T): T | null {
    try {
      return read();
    } catch (error) {
      if (!isDamage(error)) throw error;
      note(this.#traces, row, readStoredId(row.trace_id));
      if (row.conversation) note(this.#conversations, row, row.conversation.toString('hex'));
      return null;
    }
  }

  tracesOf(app: Scope): ReadonlySet<string> {
    return this.#traces.get(appKey(app)) ?? new Set();
  }

  conversationsOf(app: Scope): ReadonlySet<string> {
    return this.#conversations.get(appKey(app)) ?? new Set();
  }
}

function note(notes: Map<string, Set<string>>, app: Scope, id: string): void {
  const key = appKey(app);
  notes.set(key, (notes.get(key) ?? new Set()).add(id));
}
