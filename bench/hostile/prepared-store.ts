/** Makes a store of many spans by sending them to a gateway: first one trace with a tenth of them, then traces of all sizes. */
import { existsSync } from 'node:fs';
import { setTimeout as after } from 'node:timers/promises';
import { telemetryFile } from '../../server/telemetry/sqlite/store.ts';
import { spawnGateway } from '../gateway/gateway-process.ts';
import { HttpClient } from '../gateway/http-client.ts';
import { measureIngest } from '../measure/ingest.ts';
import { processUsage } from '../measure/machine.ts';
import { AgentStream } from '../traffic/agent-stream.ts';
import { prepareBodies } from '../traffic/bodies.ts';
import { encode, headersOf } from '../traffic/formats.ts';
import { agentService } from '../traffic/span.ts';

const format = 'protobuf';
const batchSpans = 500;

/** Makes the store in a folder unless it exists. At the end everything is indexed. */
export async function prepareStore(folder: string, spans: number): Promise<void> {
  if (existsSync(telemetryFile(folder))) return;
  const gateway = spawnGateway(folder);
  try {
    const url = await gateway.ready;
    await sendLargeTrace(url, Math.round(spans / 10));
    const index = prepareBodies({ seed: 'maintenance', formats: [format], checkpoints: [spans] });
    await measureIngest({ url, pid: gateway.pid }, { index, format, from: 0, to: index.spans.length });
    await untilIdle(gateway.pid);
    await gateway.stop();
  } finally {
    await gateway.kill();
  }
}

async function sendLargeTrace(url: string, size: number): Promise<void> {
  const { spans } = new AgentStream('large', Date.now() - 3_600_000).special(size);
  const client = new HttpClient(url, 1);
  for (let at = 0; at < spans.length; at += batchSpans) {
    const { status } = await client.send(
      'POST',
      '/v1/traces',
      headersOf(format),
      encode(spans.slice(at, at + batchSpans), agentService, format),
    );
    if (status !== 200) throw new Error(`POST /v1/traces answered ${status} to the large trace`);
  }
  client.close();
}

/** Waits until a process has used almost no CPU for two seconds. */
export async function untilIdle(pid: number): Promise<void> {
  for (let before = -1; ; ) {
    const { cpu } = processUsage(pid);
    if (!(cpu - before > 0.1)) return;
    before = cpu;
    await after(2000);
  }
}
