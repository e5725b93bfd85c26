/** Dependencies of the cloud services, with their probes. */
import { constants } from 'node:fs';
import { access, statfs } from 'node:fs/promises';
import type { ControlStore } from '../control/control-store.ts';
import { IngestOverload } from '../ingest/admission.ts';
import type { IngestPipeline } from '../ingest/pipeline.ts';
import type { Dependency, Health } from '../platform/health.ts';
import type { TelemetryStore } from '../telemetry/store.ts';

/** Below `low`, writes may fail at any moment; below `min`, they will. */
const freeBytes = { low: 1024 ** 3, min: 64 * 1024 ** 2 } as const;

interface HealthParts {
  dataDir: string;
  telemetry: TelemetryStore;
  ingest: IngestPipeline;
  control: ControlStore;
  /** Id of the gateway. */
  instance: string;
}

export function cloudHealth({ dataDir, telemetry, ingest, control, instance }: HealthParts): Health {
  const probeControl = async () => {
    await control.tenants.find('');
    return null;
  };
  const database: Dependency = {
    name: 'database',
    probe: async () => {
      await telemetry.probe();
      return damageOf(telemetry);
    },
  };
  return {
    ingestion: [
      database,
      { name: 'queue', probe: async () => queueState(ingest) },
      { name: 'disk', probe: () => diskState(dataDir) },
      { name: 'auth', probe: probeControl },
    ],
    files: [
      {
        name: 'storage',
        probe: async () => {
          await access(dataDir, constants.R_OK | constants.W_OK);
          return diskState(dataDir);
        },
      },
      { name: 'database', probe: probeControl },
    ],
    gateway: [{ name: 'database', probe: probeControl }],
    instance,
    isStopping: false,
  };
}

/** The endpoint is public, so the message contains no paths. */
function damageOf({ damage }: TelemetryStore): string | null {
  const current = damage.now();
  if (!current) return null;
  const counts = Object.entries(current.counts).map(([kind, count]) => `${count} of ${kind}`);
  return `is damaged since ${new Date(current.since_ms).toISOString()} (${counts.join(', ') || 'unknown parts'}); run glasshouse doctor`;
}

function queueState(ingest: IngestPipeline): string | null {
  try {
    ingest.admit().release();
    return null;
  } catch (error) {
    if (error instanceof IngestOverload) return 'is full and refuses requests for a moment';
    throw error;
  }
}

async function diskState(folder: string): Promise<string | null> {
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  if (free < freeBytes.min) throw new Error('No space is left');
  return free < freeBytes.low ? 'is low on space' : null;
}
