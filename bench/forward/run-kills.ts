/**
 * The sending gateway, the cloud, or both are killed at random times under load, again and again. In the end the cloud must have every
 * acknowledged span once.
 */
import { setTimeout as after } from 'node:timers/promises';
import { freePort } from '../../server/fixtures/free-port.ts';
import { telemetryFile } from '../../server/telemetry/sqlite/store.ts';
import type { GatewayProcess } from '../gateway/gateway-process.ts';
import { HttpClient } from '../gateway/http-client.ts';
import { makeScratchFolder, removeFolder } from '../gateway/scratch-folder.ts';
import { type BodyIndex, BodyReader, prepareBodies } from '../traffic/bodies.ts';
import { headersOf } from '../traffic/formats.ts';
import { Random } from '../traffic/random.ts';
import { bootstrapCloud, spawnCloud, spawnForwarding } from './cloud-process.ts';
import { waitUntilDrained } from './outbox-watch.ts';
import { compareStores, type StoreComparison } from './same-spans.ts';

export interface KillOptions {
  cycles: number;
  seed: string;
  log: (line: string) => void;
}

export interface KillResult {
  comparison: StoreComparison;
  /** Spans that the local gateway acknowledged. */
  acknowledged: number;
  kills: { sender: number; receiver: number };
}

const format = 'protobuf-gzip';
const spansPerCycle = 1_500;

export async function runKills({ cycles, seed, log }: KillOptions): Promise<KillResult> {
  const random = new Random(`kills ${seed}`);
  const bodies = prepareBodies({ seed, formats: [format], checkpoints: [cycles * spansPerCycle] });
  const [localDir, cloudDir] = [makeScratchFolder('kills'), makeScratchFolder('kills-cloud')];
  const account = bootstrapCloud(cloudDir);
  // Both restart on the same port: the exporter and the sending gateway each use one fixed address.
  const [localPort, cloudPort] = [Number(await freePort()), Number(await freePort())];
  const start = {
    sender: () => spawnForwarding(localDir, `http://127.0.0.1:${cloudPort}`, account, localPort),
    receiver: () => spawnCloud(cloudDir, cloudPort),
  };
  const running: Record<keyof typeof start, GatewayProcess> = { receiver: start.receiver(), sender: start.sender() };
  const kills = { sender: 0, receiver: 0 };
  const exporter = new Exporter(`http://127.0.0.1:${localPort}`, bodies);
  try {
    await Promise.all([running.sender.ready, running.receiver.ready]);
    const exported = exporter.run();
    for (let cycle = 1; cycle <= cycles; cycle++) {
      await after(random.between(100, 1_500));
      const targets = random.pick([['sender'], ['receiver'], ['sender', 'receiver']] as const);
      for (const target of targets) {
        await running[target].kill();
        kills[target]++;
        running[target] = start[target]();
      }
      await Promise.all(targets.map((target) => running[target].ready));
      log(`kill ${cycle} of ${cycles}: ${targets.join(' and ')}; ${exporter.acknowledged} spans acknowledged`);
    }
    await exported;
    await waitUntilDrained(localDir, running.sender.pid, log);
    return { comparison: compareStores(telemetryFile(localDir), telemetryFile(cloudDir)), acknowledged: exporter.acknowledged, kills };
  } finally {
    exporter.stop();
    await Promise.all([running.sender.kill(), running.receiver.kill()]);
    for (const folder of [localDir, cloudDir]) removeFolder(folder);
  }
}

/** Sends each request until it is acknowledged, as exporters do. */
class Exporter {
  acknowledged = 0;
  readonly #url: string;
  readonly #bodies: BodyIndex;
  #isStopped = false;

  constructor(url: string, bodies: BodyIndex) {
    this.#url = url;
    this.#bodies = bodies;
  }

  async run(): Promise<void> {
    const [client, reader] = [new HttpClient(this.#url, 1), new BodyReader(this.#bodies, format)];
    for (const [number, count] of this.#bodies.spans.entries()) {
      while (!this.#isStopped && !(await this.#isAcknowledged(client, reader.read(number)))) await after(50);
      this.acknowledged += this.#isStopped ? 0 : count;
    }
    reader.close();
    client.close();
  }

  stop(): void {
    this.#isStopped = true;
  }

  async #isAcknowledged(client: HttpClient, body: Buffer): Promise<boolean> {
    const answer = await client.send('POST', '/v1/traces', headersOf(format), body).catch(() => null);
    if (answer && answer.status !== 200 && answer.status !== 503) throw new Error(`A valid request was answered ${answer.status}`);
    return answer?.status === 200;
  }
}
