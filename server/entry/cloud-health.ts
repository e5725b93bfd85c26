/** Dependencies of the cloud services, with their probes. */
import { constants } from 'node:fs';
import { access, statfs } from 'node:fs/promises';
import type { ControlStore } from '../control/control-store.ts';
import { IngestOverload } from '../ingest/admission.ts';
import type { IngestPipeline } from '../ingest/pipeline.ts';
import type { Dependency, Health } from '../platform/health.ts';
import type { TelemetryStore } from '../telemetry/store.ts';

/** With less, spans that arrive may find no room at any moment; with the least, they will. */
const freeBytes = { enough: 1024 ** 3, least: 64 * 1024 ** 2 } as const;

export interface Standing {
  dataDir: string;
  telemetry: TelemetryStore;
  ingest: IngestPipeline;
  control: ControlStore;
}

export function cloudHealth({ dataDir, telemetry, ingest, control }: Standing): Health {
  const asksControl = async () => {
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
      { name: 'queue', probe: async () => roomIn(ingest) },
      { name: 'disk', probe: () => spaceAt(dataDir) },
      { name: 'auth', probe: asksControl },
    ],
    files: [
      {
        name: 'storage',
        probe: async () => {
          await access(dataDir, constants.R_OK | constants.W_OK);
          return spaceAt(dataDir);
        },
      },
      { name: 'database', probe: asksControl },
    ],
  };
}

/** Anybody may ask, so no place on the machine is named. */
function damageOf({ damage }: TelemetryStore): string | null {
  const known = damage.now();
  if (!known) return null;
  const counts = Object.entries(known.counts).map(([kind, count]) => `${count} of ${kind}`);
  return `is damaged since ${new Date(known.since_ms).toISOString()} (${counts.join(', ') || 'what, is not known'}); glasshouse doctor says what to do`;
}

function roomIn(ingest: IngestPipeline): string | null {
  try {
    ingest.admit().release();
    return null;
  } catch (error) {
    if (error instanceof IngestOverload) return 'takes no more requests for a moment';
    throw error;
  }
}

async function spaceAt(folder: string): Promise<string | null> {
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  if (free < freeBytes.least) throw new Error('No space is left');
  return free < freeBytes.enough ? 'space runs out' : null;
}
