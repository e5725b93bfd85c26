/** A store of ten million spans: the grown store takes more spans over HTTP, made while they are sent, and is read again. */
import { spawnGateway } from '../gateway/gateway-process.ts';
import type { Checkpoint } from '../traffic/bodies.ts';
import { measureFilters } from './filters.ts';
import { runHelper } from './helper-process.ts';
import { connections } from './ingest.ts';
import { measureLimitReads } from './limit-reads.ts';
import { OtherCpu, processUsage, storeBytes } from './machine.ts';
import { measureReads, type ReadMeasure } from './reads.ts';
import type { StreamResult, StreamTask } from './send-stream.ts';
import { untilIdle } from './until-idle.ts';

export interface Huge {
  spans: number;
  traces: number;
  ingestS: number;
  rssAfterIngest: number;
  rssAfterReads: number;
  bytesPerSpan: number;
  reads: ReadMeasure[];
  filters: ReadMeasure[];
  limitReads: ReadMeasure[];
  otherCpuDuringReads: number;
}

export interface HugeOptions {
  dataDir: string;
  /** What the store contains already. */
  before: Checkpoint;
  /** What it shall contain. */
  spans: number;
  seed: string;
  readMsMax: number;
  log: (line: string) => void;
}

export async function measureHuge({ dataDir, before, spans, seed, readMsMax, log }: HugeOptions): Promise<Huge> {
  const gateway = spawnGateway(dataDir);
  try {
    const url = await gateway.ready;
    const task = { url, seed, format: 'protobuf', spans: Math.max(0, spans - before.spans), connections } as const;
    const sent = await runHelper<StreamTask, StreamResult>(new URL('./send-stream.ts', import.meta.url), task);
    log(`  ${sent.spans} more spans in ${sent.wallS.toFixed(0)} s`);
    const rssAfterIngest = processUsage(gateway.pid).rss;
    await untilIdle(gateway.pid, sent.spans);
    const checkpoint = { ...before, spans: before.spans + sent.spans, traces: before.traces + sent.traces };
    const [other, cpu] = [new OtherCpu(), processUsage(gateway.pid).cpu];
    const limits = { url, checkpoint, msMax: readMsMax, callsMax: 100 };
    const reads = await measureReads(limits);
    const filters = await measureFilters(limits);
    const limitReads = await measureLimitReads(limits);
    const usage = processUsage(gateway.pid);
    const otherCpuDuringReads = other.read(usage.cpu - cpu);
    await gateway.stop();
    return {
      spans: checkpoint.spans,
      traces: checkpoint.traces,
      ingestS: sent.wallS,
      rssAfterIngest,
      rssAfterReads: usage.rss,
      bytesPerSpan: storeBytes(dataDir).file / checkpoint.spans,
      reads,
      filters,
      limitReads,
      otherCpuDuringReads,
    };
  } finally {
    await gateway.kill();
  }
}
