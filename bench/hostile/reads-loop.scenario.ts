/**
 * Response times of `/health` while the most expensive filter, metrics and search requests of one tenant run. `--spans N` (20,000; the real size is 1,000,000),
 * `--store DIR` keeps the store, `--seconds S` (10).
 */
import { parseArgs } from 'node:util';
import { judgeWaits, probeIdle, probeWhile } from './health-probe.ts';
import { heavyReads, keepSending } from './heavy-reads.ts';
import { openLoadedCloud } from './loaded-cloud.ts';
import type { Verdict } from './scenario.ts';

export async function run(options: string[]): Promise<Verdict[]> {
  const { values } = parseArgs({ args: options, options: { spans: { type: 'string' }, seconds: { type: 'string' } }, strict: false });
  const spans = Number(values.spans ?? 20_000);
  const ms = Number(values.seconds ?? 10) * 1000;
  const cloud = await openLoadedCloud(options, spans);
  try {
    const idle = await probeIdle(cloud.url);
    const { waits } = await probeWhile(cloud.url, async () => {
      const load = keepSending(cloud, cloud.bolt, heavyReads(spans));
      await new Promise((resolve) => setTimeout(resolve, ms));
      await load.end();
    });
    return [judgeWaits(`the heaviest reads of ${spans} spans`, idle, waits)];
  } finally {
    await cloud.stop();
  }
}
