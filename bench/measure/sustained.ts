/**
 * Steady ingest for minutes at a rate that leaves the gateway time for everything else it does: acknowledgements, memory, the log, and how
 * far the search index lags behind at the end. The spans are made while they are sent.
 */
import { setTimeout as after } from 'node:timers/promises';
import { spawnGateway } from '../gateway/gateway-process.ts';
import { makeScratchFolder, removeFolder } from '../gateway/scratch-folder.ts';
import { type Acks, ingestWhile } from '../hostile/steady-ingest.ts';
import { LogBytes } from './log-bytes.ts';
import { OtherCpu, type ProcessUsage, processUsage, storeBytes } from './machine.ts';
import { countSpans } from './rounds.ts';
import { untilIdle } from './until-idle.ts';

export interface Sustained {
  minutes: number;
  spansPerS: number;
  /** Of a batch, from the moment at which it was due. */
  acks: Acks;
  cpuUsPerSpan: number;
  threadUsPerSpan: Record<string, number>;
  /** After the last span, until the gateway is idle: what its index was behind. */
  indexLagS: number;
  /** CPU time of that, divided by the CPU time of all ingest before. */
  indexShare: number;
  rss: number;
  peakRss: number;
  logBytesPerSpan: number;
  bytesPerSpan: number;
  otherCpu: number;
}

const batchSpans = 100;

/** @param spansPerS the rate at which spans are sent */
export async function measureSustained(minutes: number, spansPerS: number): Promise<Sustained> {
  const dataDir = makeScratchFolder('bench-sustained');
  const gateway = spawnGateway(dataDir);
  try {
    const url = await gateway.ready;
    const task = { url, seed: 'sustained', headers: {}, rate: spansPerS / batchSpans, batchSpans, format: 'json' } as const;
    const { acks, result } = await ingestWhile(task, async () => {
      const [before, log, other] = [processUsage(gateway.pid), new LogBytes(dataDir), new OtherCpu()];
      await after(minutes * 60_000);
      const usage = processUsage(gateway.pid);
      return { before, usage, logBytes: log.stop(), otherCpu: other.read(usage.cpu - before.cpu) };
    });
    const { before, usage, logBytes, otherCpu } = result;
    const ingestCpu = usage.cpu - before.cpu;
    const { indexS, indexUsPerSpan } = await untilIdle(gateway.pid, acks.spans);
    const { rss, peakRss } = processUsage(gateway.pid);
    // Contains those of the warm-up, too.
    const storedSpans = await countSpans(url);
    await gateway.stop();
    return {
      minutes,
      spansPerS: acks.spans / (minutes * 60),
      acks,
      cpuUsPerSpan: (ingestCpu * 1e6) / acks.spans,
      threadUsPerSpan: threadTimes(before, usage, acks.spans),
      indexLagS: indexS,
      indexShare: (indexUsPerSpan * acks.spans) / 1e6 / ingestCpu,
      rss,
      peakRss,
      logBytesPerSpan: logBytes / acks.spans,
      bytesPerSpan: storeBytes(dataDir).file / storedSpans,
      otherCpu,
    };
  } finally {
    await gateway.kill();
    removeFolder(dataDir);
  }
}

const threadTimes = (before: ProcessUsage, after: ProcessUsage, spans: number): Record<string, number> =>
  Object.fromEntries(Object.entries(after.threads).map(([name, s]) => [name, ((s - (before.threads[name] ?? 0)) * 1e6) / spans]));
