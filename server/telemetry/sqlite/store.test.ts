import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeTelemetryStore } from '../conformance/describe-telemetry-store.ts';
import type { StorePlace } from '../conformance/promise.ts';
import { openSqliteTelemetry, telemetryFile } from './store.ts';

const worker = new URL('../../entry/worker.ts', import.meta.url);

function folder(): StorePlace {
  const dataDir = mkdtempSync(join(tmpdir(), 'glasshouse-store-'));
  const sizeOf = (suffix: string) => statSync(telemetryFile(dataDir) + suffix, { throwIfNoEntry: false })?.size ?? 0;
  return {
    open: () => openSqliteTelemetry(dataDir, worker),
    sizeBytes: async () => sizeOf('') + sizeOf('-wal'),
    remove: async () => rmSync(dataDir, { recursive: true, force: true }),
  };
}

describeTelemetryStore('sqlite', folder, { excused: [] });
