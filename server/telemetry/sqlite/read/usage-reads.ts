import type { Usage } from '../../statistics-reader.ts';
import type { OpenDatabase } from '../file/open.ts';

export class UsageReads {
  readonly #usage;

  constructor(db: OpenDatabase) {
    this.#usage = db.prepare<{ tenant: string; month: number }, Usage>(
      `SELECT coalesce((SELECT spans FROM usage WHERE tenant_id = @tenant AND month = @month), 0) AS spans,
         coalesce((SELECT bytes FROM holding WHERE tenant_id = @tenant), 0) AS bytes`,
    );
  }

  of(_scope: number, tenant: string, month: number): Usage {
    return this.#usage.get({ tenant, month }) as Usage;
  }
}
