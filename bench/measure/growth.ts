/** One gateway whose store grows in stages: measures ingest, reads, memory and disk at each size. */
import { spawnGateway } from '../gateway/gateway-process.ts';
import type { BodyIndex } from '../traffic/bodies.ts';
import type { Format } from '../traffic/formats.ts';
import { measureFilters } from './filters.ts';
import { type IngestMeasure, measureIngest } from './ingest.ts';
import { measureLimitReads } from './limit-reads.ts';
import { LogBytes } from './log-bytes.ts';
import { OtherCpu, processUsage, quietMoment, storeBytes } from './machine.ts';
import { type MixedMeasure, measureMixed } from './mixed.ts';
import { measureReads, type ReadMeasure } from './reads.ts';
import { type IndexMeasure, untilIdle } from './until-idle.ts';

export interface Stage extends IndexMeasure {
  spans: number;
  traces: number;
  ingest: IngestMeasure;
  /** RSS right after ingest, after the reads, and the peak. */
  rssAfterIngest: number;
  rssAfterReads: number;
  peakRss: number;
  /** The database file after a checkpoint. */
  bytesPerSpan: number;
  reads: ReadMeasure[];
  filters: ReadMeasure[];
  /** Empty unless asked for. */
  limitReads: ReadMeasure[];
  /** Written to the log during ingest. */
  logBytesPerSpan: number;
  /** Processors that unrelated processes kept busy during the reads. */
  otherCpuDuringReads: number;
}

export interface Growth {
  stages: Stage[];
  mixed: MixedMeasure;
  /** After a clean shutdown. */
  bytesPerSpan: number;
}

export interface GrowthOptions {
  index: BodyIndex;
  format: Format;
  dataDir: string;
  readMsMax: number;
  /** Also the reads of limit-reads.ts. */
  hasLimitReads: boolean;
  quietMs: number;
  log: (line: string) => void;
}

/** The writer checkpoints a log of more than 2 MB 1.5 s after the last commit. */
const settleMs = 2500;

export async function measureGrowth({ index, format, dataDir, readMsMax, hasLimitReads, quietMs, log }: GrowthOptions): Promise<Growth> {
  const gateway = spawnGateway(dataDir);
  try {
    const url = await gateway.ready;
    const stages: Stage[] = [];
    let from = 0;
    for (const checkpoint of index.checkpoints) {
      await quietMoment(quietMs);
      const logged = new LogBytes(dataDir);
      const ingest = await measureIngest({ url, pid: gateway.pid }, { index, format, from, to: checkpoint.requests });
      const logBytesPerSpan = logged.stop() / ingest.spans;
      from = checkpoint.requests;
      const rssAfterIngest = processUsage(gateway.pid).rss;
      await new Promise((resolve) => setTimeout(resolve, settleMs));
      const indexing = await untilIdle(gateway.pid, ingest.spans);
      const bytesPerSpan = storeBytes(dataDir).file / checkpoint.spans;
      log(
        `  ${checkpoint.spans} spans: ${ingest.spansPerS.toFixed(0)} spans/s, ${(rssAfterIngest / 1e6).toFixed(0)} MB, ${bytesPerSpan.toFixed(0)} B/span`,
      );
      await quietMoment(quietMs);
      const [other, before] = [new OtherCpu(), processUsage(gateway.pid).cpu];
      const reads = await measureReads({ url, checkpoint, msMax: readMsMax, callsMax: 200 });
      const filters = await measureFilters({ url, checkpoint, msMax: readMsMax, callsMax: 100 });
      const limitReads = hasLimitReads ? await measureLimitReads({ url, checkpoint, msMax: readMsMax / 2, callsMax: 50 }) : [];
      const otherCpuDuringReads = other.read(processUsage(gateway.pid).cpu - before);
      for (const { name, p50, p95 } of [...reads, ...filters, ...limitReads])
        log(`    ${name.padEnd(28)} p50 ${p50.toFixed(2)} p95 ${p95.toFixed(2)} ms`);
      const { rss, peakRss } = processUsage(gateway.pid);
      const { spans, traces } = checkpoint;
      stages.push({
        spans,
        traces,
        ingest,
        rssAfterIngest,
        rssAfterReads: rss,
        peakRss,
        bytesPerSpan,
        reads,
        filters,
        limitReads,
        logBytesPerSpan,
        ...indexing,
        otherCpuDuringReads,
      });
    }
    const mixed = await measureMixed(url);
    log(`  ${mixed.spansPerS} spans/s beside reads: list p95 ${mixed.list.p95.toFixed(2)} ms`);
    await gateway.stop();
    const last = index.checkpoints.at(-1)?.spans ?? 0;
    return { stages, mixed, bytesPerSpan: storeBytes(dataDir).file / (last + mixed.sentSpans) };
  } finally {
    await gateway.kill();
  }
}
