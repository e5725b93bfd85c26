import type { Migration } from '../migrate.ts';
import { telemetryTables } from './001-telemetry.ts';
import { blobColumns } from './002-blobs.ts';

/** In order. A shipped one is never edited. */
export const migrations: readonly Migration[] = [
  { id: '001-telemetry', statements: telemetryTables },
  { id: '002-blobs', statements: blobColumns },
];
