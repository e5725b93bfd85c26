/** Opens restored stores as a gateway does, and reads from them, so that a restore is tried before it is needed. */
import { traceQuery } from '../../../shared/contract/tracing/traces.ts';
import { openSqliteControl } from '../../control/sqlite/open.ts';
import { noOverrides } from '../../ingest/cost/own-prices.ts';
import { systemClock } from '../../platform/clock.ts';
import { stderrLog } from '../../platform/log.ts';
import type { Scope } from '../../platform/scope.ts';
import { StartRefusal } from '../../platform/start-refusal.ts';
import { openSqliteTelemetry } from '../../telemetry/sqlite/store.ts';
import type { TelemetryStore } from '../../telemetry/store.ts';

export interface Rehearsal {
  teams: number;
  apps: number;
  traces: number;
  /** Traces of which every span was read. */
  read: number;
  /** When the newest trace began; null without traces. */
  newest: string | null;
}

const appsOfPage = 100;
const readOfApp = 20;

/**
 * Migrates the stores if they are of an earlier version. Nothing is sent or run.
 * @param folder restored stores, with a control store
 * @throws StartRefusal when something cannot be read
 */
export async function rehearse(folder: string, threadEntry: URL): Promise<Rehearsal> {
  const control = openSqliteControl(folder, systemClock);
  const telemetry = await openSqliteTelemetry(folder, threadEntry, noOverrides, {
    readers: 1,
    perTenant: 1,
    waitingMax: 1,
    log: stderrLog,
  });
  const result: Rehearsal = { teams: 0, apps: 0, traces: 0, read: 0, newest: null };
  try {
    for (const { id: tenant_id } of await control.tenants.list()) {
      result.teams++;
      for (let offset = 0; ; offset += appsOfPage) {
        const { data } = await control.apps.list(tenant_id, { limit: appsOfPage, offset });
        for (const { id: app_id } of data) await readApp(telemetry, { tenant_id, app_id }, result);
        if (data.length < appsOfPage) break;
      }
    }
    return result;
  } finally {
    await telemetry.stop();
    await control.stop();
  }
}

async function readApp({ traces }: TelemetryStore, scope: Scope, result: Rehearsal): Promise<void> {
  const page = await traces.list(scope, traceQuery.parse({ limit: readOfApp }));
  const newest = page.data.decode();
  result.apps++;
  result.traces += page.total;
  for (const { id, start } of newest) {
    if (!(await traces.find(scope, id, { graph: false, scores: true }))) throw new StartRefusal(`The trace ${id} cannot be read`);
    result.read++;
    if (result.newest === null || start > result.newest) result.newest = start;
  }
}
