/** Filters by content right after a start: the gateway is killed with its last acknowledgement, so that nothing was indexed later. */
import { spawnGateway } from '../gateway/gateway-process.ts';
import { makeScratchFolder, removeFolder } from '../gateway/scratch-folder.ts';
import type { BodyIndex } from '../traffic/bodies.ts';
import { measureIngest } from './ingest.ts';
import { measureContentFilters } from './limit-reads.ts';
import type { ReadMeasure } from './reads.ts';

export interface Unindexed {
  spans: number;
  filters: ReadMeasure[];
}

/** @param requests how many requests of the bodies are sent before */
export async function measureUnindexed(index: BodyIndex, requests: number, msMax: number): Promise<Unindexed> {
  const dataDir = makeScratchFolder('bench-unindexed');
  const filled = spawnGateway(dataDir);
  let asked: ReturnType<typeof spawnGateway> | undefined;
  try {
    const { spans } = await measureIngest({ url: await filled.ready, pid: filled.pid }, { index, format: 'json', from: 0, to: requests });
    await filled.kill();
    asked = spawnGateway(dataDir);
    return { spans, filters: await measureContentFilters(await asked.ready, { msMax, callsMax: 30 }) };
  } finally {
    await filled.kill();
    await asked?.kill();
    removeFolder(dataDir);
  }
}
