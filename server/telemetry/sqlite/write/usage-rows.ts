/** Counts quota usage in the transaction that writes the spans, so that two batches cannot both use the rest of a quota. */
import { type Allowance, type ExceededQuota, monthOf } from '../../../ingest/allowance.ts';
import type { OpenDatabase } from '../file/open.ts';

/** Usage that a batch would add. */
export interface Addition {
  tenant_id: string;
  received_ms: number;
  spans: number;
  bytes: number;
}

export class UsageRows {
  readonly #spans;
  readonly #bytes;
  readonly #addSpans;
  readonly #addBytes;

  constructor(db: OpenDatabase) {
    this.#spans = db.prepare<[string, number], number>('SELECT spans FROM usage WHERE tenant_id = ? AND month = ?').pluck();
    this.#bytes = db.prepare<[string], number>('SELECT bytes FROM holding WHERE tenant_id = ?').pluck();
    this.#addSpans = db.prepare(
      'INSERT INTO usage (tenant_id, month, spans) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET spans = spans + excluded.spans',
    );
    this.#addBytes = db.prepare(
      'INSERT INTO holding (tenant_id, bytes) VALUES (?, ?) ON CONFLICT DO UPDATE SET bytes = bytes + excluded.bytes',
    );
  }

  /** Exceeded limit; null when the batch fits. */
  exceededLimit({ tenant_id, received_ms, spans, bytes }: Addition, { monthly_spans, storage_bytes }: Allowance): ExceededQuota | null {
    if (monthly_spans !== null && spans > 0) {
      const current = this.#spans.get(tenant_id, monthOf(received_ms)) ?? 0;
      if (current + spans > monthly_spans) return { what: 'monthly_spans', current, limit: monthly_spans };
    }
    if (storage_bytes !== null && bytes > 0) {
      const current = this.#bytes.get(tenant_id) ?? 0;
      if (current + bytes > storage_bytes) return { what: 'storage_bytes', current, limit: storage_bytes };
    }
    return null;
  }

  add({ tenant_id, received_ms, spans, bytes }: Addition): void {
    if (spans > 0) this.#addSpans.run(tenant_id, monthOf(received_ms), spans);
    if (bytes > 0) this.#addBytes.run(tenant_id, bytes);
  }
}
