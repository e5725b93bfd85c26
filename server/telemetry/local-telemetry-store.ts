import type { ArchiveStore } from './archive-store.ts';
import type { FileMaintenance } from './file-maintenance.ts';
import type { ForwardStore } from './forward-store.ts';
import type { RedactionStore } from './redaction-store.ts';
import type { SpendingReader } from './spending-reader.ts';
import type { TelemetryStore } from './store.ts';

/** Store in a file on the machine of its only user, who may maintain it, forward it and exchange traces as files. */
export interface LocalTelemetryStore extends TelemetryStore {
  archives: ArchiveStore;
  maintenance: FileMaintenance;
  forwarding: ForwardStore;
  redaction: RedactionStore;
  spending: SpendingReader;
}
