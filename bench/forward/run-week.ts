/**
 * A gateway that cannot reach its cloud for seven days, and then can. The week passes on a fake clock, but every attempt to connect is
 * real; the backlog is sent by the real program.
 */
import { freePort } from '../../server/fixtures/free-port.ts';
import { CloudLine } from '../../server/forwarding/cloud-line.ts';
import { Forwarder } from '../../server/forwarding/forwarder.ts';
import { Redaction } from '../../server/forwarding/redaction.ts';
import { createPricing } from '../../server/ingest/cost/pricing.ts';
import { decodeJson } from '../../server/ingest/otlp/decode-json.ts';
import { BatchBuilder } from '../../server/ingest/prepare/prepare.ts';
import { localScope } from '../../server/platform/scope.ts';
import { openSqliteTelemetry, telemetryFile } from '../../server/telemetry/sqlite/store.ts';
import { makeScratchFolder, removeFolder } from '../gateway/scratch-folder.ts';
import { BodyReader, prepareBodies } from '../traffic/bodies.ts';
import { bootstrapCloud, spawnCloud, spawnForwarding } from './cloud-process.ts';
import { FakeTime } from './fake-time.ts';
import { type DrainResult, outboxSize, waitUntilDrained } from './outbox-watch.ts';
import { compareStores, type StoreComparison } from './same-spans.ts';

export interface WeekOptions {
  spans: number;
  seed: string;
  log: (line: string) => void;
}

export interface WeekResult {
  comparison: StoreComparison;
  /** Attempts to connect in the week. */
  attempts: number;
  backlog: number;
  drain: DrainResult;
}

const dayMs = 24 * 3_600_000;
const format = 'json';
const worker = new URL('../../server/entry/thread.ts', import.meta.url);
/** The name of the destination from the environment variables. */
const name = 'env';

export async function runWeek({ spans, seed, log }: WeekOptions): Promise<WeekResult> {
  const [localDir, cloudDir] = [makeScratchFolder('week'), makeScratchFolder('week-cloud')];
  try {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const attempts = await offlineWeek(localDir, url, { spans, seed, log });
    const backlog = outboxSize(localDir);
    log(`${backlog} messages in the outbox after seven days and ${attempts} attempts; starting the cloud`);
    const account = bootstrapCloud(cloudDir);
    const cloud = spawnCloud(cloudDir, port);
    await cloud.ready;
    const local = spawnForwarding(localDir, url, account);
    await local.ready;
    const drain = await waitUntilDrained(localDir, local.pid, log);
    await Promise.all([local.stop(), cloud.stop()]);
    return { comparison: compareStores(telemetryFile(localDir), telemetryFile(cloudDir)), attempts, backlog, drain };
  } finally {
    for (const folder of [localDir, cloudDir]) removeFolder(folder);
  }
}

/** @returns the number of attempts to connect */
async function offlineWeek(folder: string, url: string, { spans, seed, log }: WeekOptions): Promise<number> {
  const bodies = prepareBodies({ seed, formats: [format], checkpoints: [spans] });
  const reader = new BodyReader(bodies, format);
  const telemetry = await openSqliteTelemetry(folder, worker);
  const pricing = createPricing();
  const time = new FakeTime(Date.now() - 7 * dayMs);
  await telemetry.forwarding.begin(localScope, name, false, { about: JSON.stringify({ url, app_id: '', is_paused: false }) });
  const redaction = new Redaction(worker);
  const line = new CloudLine({ url, key: 'sk_service_of_a_week', appId: '' });
  const forwarder = new Forwarder({ telemetry, redaction, scope: localScope, name, line, clock: time.clock, after: time.after }).start();
  const step = Math.floor((7 * dayMs) / bodies.spans.length);
  for (let request = 0; request < bodies.spans.length; request++) {
    const batch = new BatchBuilder(pricing, time.clock.now(), null);
    for (const span of decodeJson(reader.read(request)).spans) batch.add(span);
    await telemetry.writer.write(localScope, batch.finish());
    await time.advance(step);
    if (request % 500 === 0) log(`day ${((request / bodies.spans.length) * 7).toFixed(1)}: ${forwarder.state.is}`);
  }
  if (forwarder.state.is !== 'waiting') throw new Error(`Without a cloud the forwarder is ${forwarder.state.is}`);
  await forwarder.stop();
  await redaction.stop();
  await telemetry.stop();
  reader.close();
  return time.fired;
}
