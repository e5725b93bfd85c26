import type { TenantStore } from '../control/tenant-store.ts';
import type { PlanLimits, PlanTable } from './plan-table.ts';

/** Limits of each tenant by its plan. */
export class Plans {
  readonly #tenants: TenantStore;
  readonly #table: PlanTable;

  constructor(tenants: TenantStore, table: PlanTable) {
    this.#tenants = tenants;
    this.#table = table;
  }

  /** The smallest plan for a deleted tenant. */
  async of(tenantId: string): Promise<PlanLimits> {
    const tenant = await this.#tenants.find(tenantId);
    return this.#table[tenant?.plan ?? 'free'];
  }
}
