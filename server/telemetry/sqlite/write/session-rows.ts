/** Sums up sessions whose traces changed. A session is every trace with at least one span that carries its id (contract 6.3). */
import type { OpenDatabase } from '../open.ts';

interface Sum {
  start_us: number | null;
  end_us: number;
  trace_count: number;
  cost: number;
  tokens: number;
  latency_ns: number;
}

export class SessionRows {
  readonly #sum;
  readonly #name;
  readonly #tags;
  readonly #save;
  readonly #remove;

  constructor(db: OpenDatabase) {
    this.#sum = db.prepare<[number], Sum>(`
      SELECT min(start_us) AS start_us, max(end_us) AS end_us, count(*) AS trace_count, round(total(cost), 12) AS cost,
             min(total(tokens), ${Number.MAX_SAFE_INTEGER}) AS tokens, max(longest_ns) AS latency_ns
      FROM trace_term JOIN trace ON trace.id = trace_term.trace
      WHERE trace_term.term = ? AND trace.span_count > 0`);
    const smallest = (column: string) => `SELECT min(term.value) FROM trace_term JOIN trace ON trace.id = trace_term.trace
      JOIN term ON term.id = trace.${column} WHERE trace_term.term = @session`;
    this.#name = db
      .prepare<[{ session: number }], string>(
        `SELECT coalesce((${smallest('session_name')}), (${smallest('prompt_name')}), (${smallest('trace_name')}), '')`,
      )
      .pluck();
    this.#tags = db
      .prepare<
        [number],
        string
      >(`SELECT DISTINCT tag.value FROM trace_term JOIN trace ON trace.id = trace_term.trace, json_each(trace.tags) AS tag
        WHERE trace_term.term = ? ORDER BY tag.value`)
      .pluck();
    this.#save = db.prepare(`INSERT OR REPLACE INTO session (id, scope, name, start_us, end_us, trace_count, cost, tokens, latency_ns, tags)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
    this.#remove = db.prepare('DELETE FROM session WHERE id = ?');
  }

  /** Writes the row of a session; one that no trace is part of any more has none. */
  save(scope: number, session: number): void {
    const sum = this.#sum.get(session);
    if (!sum || sum.start_us === null) {
      this.#remove.run(session);
      return;
    }
    const tags = JSON.stringify(this.#tags.all(session));
    this.#save.run(
      session,
      scope,
      this.#name.get({ session }) ?? '',
      sum.start_us,
      sum.end_us,
      sum.trace_count,
      sum.cost,
      sum.tokens,
      sum.latency_ns,
      tags,
    );
  }
}
