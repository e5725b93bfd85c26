import type { TenantStore } from '../control/tenant-store.ts';
import type { PlanLimits, PlanTable } from './plan-table.ts';

/** What each tenant may, by its plan. */
export class Plans {
  readonly #tenants: TenantStore;
  readonly #table: PlanTable;

  constructor(tenants: TenantStore, table: PlanTable) {
    this.#tenants = tenants;
    this.#table = table;
  }

  /** Of a tenant that is gone: the least there is. */
  async of(tenantId: string): Promise<PlanLimits> {
    const tenant = await this.#tenants.find(tenantId);
    return this.#table[tenant?.plan ?? 'free'];
  }
}
