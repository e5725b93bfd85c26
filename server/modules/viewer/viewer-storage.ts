import type { Storage } from '../../../shared/contract/viewer/viewer-storage.ts';
import { defineModule } from '../../app/module.ts';
import type { Scope } from '../../platform/scope.ts';
import type { Compaction } from '../../telemetry/file-maintenance.ts';
import type { LocalTelemetryStore } from '../../telemetry/local-telemetry-store.ts';

const dayMs = 24 * 3600 * 1000;

/** Local only: folders belong to the user's machine. */
export const viewerStorageModule = defineModule({
  group: 'viewerStorage',
  needs: ['localTelemetry', 'clock'],
  build: ({ localTelemetry, clock }) => ({
    get: async ({ scope }) => ({ data: await storageOf(localTelemetry, scope) }),
    older: async ({ scope }, { query }) => ({ data: await localTelemetry.maintenance.older(scope, clock.now() - query.days * dayMs) }),
    putRetention: async (_, { body }) => {
      await localTelemetry.maintenance.setRetention(body);
      return { data: body };
    },
    compact: async ({ scope }) => {
      await localTelemetry.maintenance.compact();
      return { data: await storageOf(localTelemetry, scope) };
    },
    cancelCompaction: async ({ scope }) => {
      await localTelemetry.maintenance.cancelCompaction();
      return { data: await storageOf(localTelemetry, scope) };
    },
  }),
});

async function storageOf({ maintenance, damage }: LocalTelemetryStore, scope: Scope): Promise<Storage> {
  const stored = (await maintenance.storage(scope)).decode();
  const compaction = maintenance.compaction();
  return { ...stored, compaction: compaction && compactionOf(compaction), damage: damageOf(damage.now()) };
}

const compactionOf = ({ began_ms, ended_ms, ...rest }: Compaction): Storage['compaction'] => ({
  ...rest,
  began_at: isoOf(began_ms),
  ended_at: ended_ms === null ? null : isoOf(ended_ms),
});

function damageOf(damage: ReturnType<LocalTelemetryStore['damage']['now']>): Storage['damage'] {
  if (!damage) return null;
  const { since_ms, ...rest } = damage;
  return { ...rest, since: isoOf(since_ms) } as Storage['damage'];
}

const isoOf = (ms: number): string => new Date(ms).toISOString();
