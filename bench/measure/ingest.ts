/** Durable ingest into a running gateway: rate, time to acknowledgement, and CPU time of each thread. */
import type { BodyIndex } from '../traffic/bodies.ts';
import type { Format } from '../traffic/formats.ts';
import { runHelper } from './helper-process.ts';
import { OtherCpu, processUsage } from './machine.ts';
import { quantile } from './quantiles.ts';
import type { SendResult, SendTask } from './send-bodies.ts';

export interface IngestMeasure {
  spans: number;
  wallS: number;
  spansPerS: number;
  megabytesPerS: number;
  ackMs: { p50: number; p95: number; p99: number };
  /** CPU time of the gateway, all threads, in microseconds. */
  cpuUsPerSpan: number;
  threadUsPerSpan: Record<string, number>;
  /** CPU time of the load generator, which runs on the same processors. */
  senderUsPerSpan: number;
  /** Processors that unrelated processes kept busy meanwhile: the noise of the measurement. */
  otherCpu: number;
}

/** Exporters of several processes: with fewer, the gateway waits for them part of the time. */
export const connections = 16;

export async function measureIngest(
  { url, pid }: { url: string; pid: number },
  part: { index: BodyIndex; format: Format; from: number; to: number },
): Promise<IngestMeasure> {
  const [before, other] = [processUsage(pid), new OtherCpu()];
  const sent = await runHelper<SendTask, SendResult>(new URL('./send-bodies.ts', import.meta.url), { url, ...part, connections });
  const after = processUsage(pid);
  const cpu = after.cpu - before.cpu;
  const otherCpu = other.read(cpu + sent.cpuS);
  if (sent.failures.length > 0) throw new Error(`${sent.failures.length} requests failed: ${sent.failures[0]}`);
  const { spans, wallS, bytes, cpuS, ackMs } = sent;
  const perSpan = (seconds: number): number => (seconds * 1e6) / spans;
  const threads = Object.entries(after.threads).map(([name, total]) => [name, perSpan(total - (before.threads[name] ?? 0))] as const);
  return {
    spans,
    wallS,
    spansPerS: spans / wallS,
    megabytesPerS: bytes / 1e6 / wallS,
    ackMs: { p50: quantile(ackMs, 0.5), p95: quantile(ackMs, 0.95), p99: quantile(ackMs, 0.99) },
    cpuUsPerSpan: perSpan(cpu),
    threadUsPerSpan: Object.fromEntries(threads.filter(([, us]) => us >= 0.5)),
    senderUsPerSpan: perSpan(cpuS),
    otherCpu,
  };
}
