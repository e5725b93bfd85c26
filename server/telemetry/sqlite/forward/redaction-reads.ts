/** Reads spans for previews of redaction, and the values of tokens. */
import type { RedactionToken } from '../../../../shared/contract/operations/redaction.ts';
import type { PreviewQuery, PreviewSpans } from '../../redaction-store.ts';
import { stored } from '../file/stored-names.ts';
import { noRow } from '../read/lookup.ts';
import type { ReadContext } from '../read/read-context.ts';
import { type SentSpanRow, sentSpanColumns } from '../read/sent-span.ts';
import { Origins, unknownOrigin } from './forward-reads.ts';

/** Placeholders are not forwarded. */
const isForwarded = '(span.flags & 2) = 0';

export class RedactionReads {
  readonly #context: ReadContext;
  readonly #origins: Origins;
  readonly #ofTrace;
  readonly #newest;
  readonly #token;

  constructor(context: ReadContext) {
    this.#context = context;
    this.#origins = new Origins(context);
    const spans = `SELECT ${sentSpanColumns} FROM span WHERE ${isForwarded} AND`;
    this.#ofTrace = context.db.prepare<[number, number, number], SentSpanRow>(
      `${spans} span.trace = ? ORDER BY span.start_us, span.start_rest_ns, span.id LIMIT ? OFFSET ?`,
    );
    this.#newest = context.db.prepare<[number, number, number], SentSpanRow>(
      `${spans} +span.scope = ? ORDER BY span.id DESC LIMIT ? OFFSET ?`,
    );
    this.#token = context.db.prepare<[number, string], Omit<RedactionToken, 'first_at'> & { first_ms: number }>(
      `SELECT token, kind, value, first_ms FROM ${stored.redactionTokens} WHERE scope = ? AND token = ?`,
    );
  }

  previewSpans(scope: number, { trace_id, limit, offset }: PreviewQuery, withOrigins: boolean): PreviewSpans | null {
    const trace = trace_id === null ? null : this.#context.lookup.trace(scope, trace_id);
    if (trace === noRow) return null;
    // One row more than the limit shows whether there are more.
    const rows = trace === null ? this.#newest.all(scope, limit + 1, offset) : this.#ofTrace.all(trace, limit + 1, offset);
    const spans = rows.slice(0, limit).map((row) => {
      const { sent, attribution } = this.#context.sentSpans.read(row);
      return { sent, origin: withOrigins ? this.#origins.ofSpan(row.trace, sent, attribution) : unknownOrigin };
    });
    return { spans, more: rows.length > limit };
  }

  token(scope: number, token: string): RedactionToken | null {
    const found = this.#token.get(scope, token);
    if (!found) return null;
    const { first_ms, ...rest } = found;
    return { ...rest, first_at: new Date(first_ms).toISOString() };
  }
}
