/**
 * Runs a gateway inside this process, so that the delay of its event loop can be measured without a hook in the product. Electron's main
 * process runs it in the same way.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { type LocalGateway, startLocalGateway } from '../../server/entry/local.ts';

export type HostRequest = { kind: 'start'; dataDir: string } | { kind: 'reset' } | { kind: 'read' } | { kind: 'stop' };
export type HostReply =
  | { kind: 'started'; url: string }
  | { kind: 'delay'; maxMs: number; p99Ms: number; ownMaxMs: number }
  | { kind: 'done' };

/** The monitor's timer fires each millisecond; it reports the sum of interval and delay. */
const resolutionMs = 1;
const delay = monitorEventLoopDelay({ resolution: resolutionMs });
let gateway: LocalGateway | null = null;

/** The most CPU time of this thread between two turns, without the time that it waited for a processor. */
let ownMaxMs = 0;
let ownBefore = ownCpuMs();

function ownCpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

function sampleCpuTime(): void {
  const now = ownCpuMs();
  ownMaxMs = Math.max(ownMaxMs, now - ownBefore);
  ownBefore = now;
}

async function handle(request: HostRequest): Promise<HostReply> {
  if (request.kind === 'start') {
    gateway = await startLocalGateway({ port: 0, dataDir: request.dataDir, projectDir: request.dataDir });
    delay.enable();
    setInterval(sampleCpuTime, resolutionMs).unref();
    return { kind: 'started', url: gateway.url };
  }
  if (request.kind === 'reset') {
    delay.reset();
    ownMaxMs = 0;
  }
  if (request.kind === 'read') {
    const ms = (nanoseconds: number): number => Math.max(0, nanoseconds / 1e6 - resolutionMs);
    return { kind: 'delay', maxMs: ms(delay.max), p99Ms: ms(delay.percentile(99)), ownMaxMs };
  }
  if (request.kind === 'stop') {
    delay.disable();
    await gateway?.stop();
  }
  return { kind: 'done' };
}

process.on('message', async (request: HostRequest) => {
  const reply = await handle(request);
  process.send?.(reply, () => {
    if (request.kind === 'stop') process.disconnect();
  });
});
