import type { Storage } from '../../../shared/contract/viewer/viewer-storage.ts';
import { defineModule } from '../../app/module.ts';
import type { Scope } from '../../platform/scope.ts';
import type { TelemetryStore } from '../../telemetry/store.ts';
import type { Compaction } from '../../telemetry/store-maintenance.ts';

const dayMs = 24 * 3600 * 1000;

/** Local only: folders belong to the user's machine. */
export const viewerStorageModule = defineModule({
  group: 'viewerStorage',
  needs: ['telemetry', 'clock', 'onOneMachine'],
  build: ({ telemetry, clock }) => ({
    get: async ({ scope }) => ({ data: await storageOf(telemetry, scope) }),
    older: async ({ scope }, { query }) => ({ data: await telemetry.statistics.older(scope, clock.now() - query.days * dayMs) }),
    putRetention: async (_, { body }) => {
      await telemetry.maintenance.setRetention(body);
      return { data: body };
    },
    compact: async ({ scope }) => {
      await telemetry.maintenance.compact();
      return { data: await storageOf(telemetry, scope) };
    },
    cancelCompaction: async ({ scope }) => {
      await telemetry.maintenance.cancelCompaction();
      return { data: await storageOf(telemetry, scope) };
    },
  }),
});

async function storageOf({ statistics, maintenance, damage }: TelemetryStore, scope: Scope): Promise<Storage> {
  const stored = (await statistics.storage(scope)).decode();
  const compaction = maintenance.compaction();
  return { ...stored, compaction: compaction && compactionOf(compaction), damage: damageOf(damage.now()) };
}

const compactionOf = ({ began_ms, ended_ms, ...rest }: Compaction): Storage['compaction'] => ({
  ...rest,
  began_at: isoOf(began_ms),
  ended_at: ended_ms === null ? null : isoOf(ended_ms),
});

function damageOf(damage: ReturnType<TelemetryStore['damage']['now']>): Storage['damage'] {
  if (!damage) return null;
  const { since_ms, ...rest } = damage;
  return { ...rest, since: isoOf(since_ms) } as Storage['damage'];
}

const isoOf = (ms: number): string => new Date(ms).toISOString();
