/**
 * A gateway that comes to no cloud for seven days, and then does. The week goes by on a clock of the rig's own while
 * every try to connect is a real one; the backlog is sent by the real program.
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
import { type Drained, drained, waiting } from './outbox-watch.ts';
import { compareStores, type Sameness } from './same-spans.ts';

export interface WeekOptions {
  spans: number;
  seed: string;
  say: (line: string) => void;
}

export interface WeekResult {
  sameness: Sameness;
  /** Tries to connect in the week. */
  tries: number;
  backlog: number;
  drained: Drained;
}

const dayMs = 24 * 3_600_000;
const format = 'json';
const worker = new URL('../../server/entry/thread.ts', import.meta.url);
/** That of the destination that the environment names. */
const name = 'env';

export async function runWeek({ spans, seed, say }: WeekOptions): Promise<WeekResult> {
  const [localDir, cloudDir] = [makeScratchFolder('week'), makeScratchFolder('week-cloud')];
  try {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const tries = await offlineWeek(localDir, url, { spans, seed, say });
    const backlog = waiting(localDir);
    say(`${backlog} wait after seven days and ${tries} tries; the cloud comes back`);
    const account = bootstrapCloud(cloudDir);
    const cloud = spawnCloud(cloudDir, port);
    await cloud.ready;
    const local = spawnForwarding(localDir, url, account);
    await local.ready;
    const done = await drained(localDir, local.pid, say);
    await Promise.all([local.stop(), cloud.stop()]);
    return { sameness: compareStores(telemetryFile(localDir), telemetryFile(cloudDir)), tries, backlog, drained: done };
  } finally {
    for (const folder of [localDir, cloudDir]) removeFolder(folder);
  }
}

/** @returns how often it was tried to connect */
async function offlineWeek(folder: string, url: string, { spans, seed, say }: WeekOptions): Promise<number> {
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
    await time.pass(step);
    if (request % 500 === 0) say(`day ${((request / bodies.spans.length) * 7).toFixed(1)}: ${forwarder.state.is}`);
  }
  if (forwarder.state.is !== 'waiting') throw new Error(`Without a cloud it says ${forwarder.state.is}`);
  await forwarder.stop();
  await redaction.stop();
  await telemetry.stop();
  reader.close();
  return time.rung;
}
