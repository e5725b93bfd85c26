/** Apps that were deleted: reads find nothing of them, and what still arrives for them is not stored. */
import type { ClickHouseClient } from '@clickhouse/client';
import type { Scope } from '../../../platform/scope.ts';
import { appKey } from './app-key.ts';

/** No app has an empty id, so nothing is stored for it. */
const noApp = '';

const refreshMs = 1000;

export class ErasedApps {
  readonly #client: ClickHouseClient;
  #refreshedMs = Number.NEGATIVE_INFINITY;
  readonly #erased = new Set<string>();

  constructor(client: ClickHouseClient) {
    this.#client = client;
  }

  /** Reads them again: another process may have erased some. */
  async refresh(): Promise<void> {
    this.#refreshedMs = performance.now();
    const result = await this.#client.query({ query: 'SELECT tenant_id, app_id FROM erased_app FINAL', format: 'JSONEachRow' });
    for (const scope of await result.json<Scope>()) this.add(scope);
  }

  add(scope: Scope): void {
    this.#erased.add(appKey(scope));
  }

  has(scope: Scope): boolean {
    return this.#erased.has(appKey(scope));
  }

  /** The app whose rows are read. What another process erased is known after a second. */
  readable(scope: Scope): Scope {
    if (performance.now() - this.#refreshedMs > refreshMs) void this.refresh().catch(() => {});
    return this.has(scope) ? { tenant_id: scope.tenant_id, app_id: noApp } : scope;
  }
}
