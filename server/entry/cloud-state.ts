/** What observers see of the state of a cloud gateway. */
import { statfs } from 'node:fs/promises';
import type { Shares } from '../app/shares.ts';
import type { IngestPipeline } from '../ingest/pipeline.ts';
import type { BackgroundWork, GatewayState } from '../platform/observer.ts';
import type { TelemetryStore } from '../telemetry/store.ts';
import { readLastBackup } from './backup/last-backup.ts';

interface StateParts {
  background: BackgroundWork;
  telemetry: TelemetryStore;
  ingest: IngestPipeline;
  shares: Shares;
  dataDir: string;
}

export const gatewayState = ({ background, telemetry, ingest, shares, dataDir }: StateParts): GatewayState => ({
  ...background,
  ingestQueue: () => ingest.queue,
  rejectedSpans: () => ingest.rejectedSpans,
  inFlight: () => shares.inFlight(),
  shareRefusals: () => shares.refusals(),
  isDamaged: () => telemetry.damage.now() !== null,
  disk: async () => {
    const { bavail, blocks, bsize } = await statfs(dataDir);
    return { free: bavail * bsize, size: blocks * bsize };
  },
  lastBackup: () => readLastBackup(dataDir),
});
