/** A fleet on one machine: PostgreSQL, ClickHouse, S3, several gateways and a proxy in front of them. To try it, and to test it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { ClickHouseProcess } from './clickhouse-process.ts';
import { writeClusterFile } from './cluster-file.ts';
import { PostgresProcess } from './postgres-process.ts';
import { RoundRobin } from './round-robin.ts';
import { S3Server } from './s3-server.ts';

export interface ClusterOptions {
  dataDir: string;
  /** Number of gateways. */
  instances: number;
  /** Of the proxy; 0 for any free one. */
  port: number;
  /** Program of a gateway with its arguments, to which `--port`, `--host` and `--data` are added. */
  gateway: readonly string[];
  /** Further variables of the gateways, or of each by its number. */
  environment?: Record<string, string> | ((instance: number, clickhouse: string) => Record<string, string>);
  onOutput?(instance: number, text: string): void;
}

const startLimitMs = 180_000;
const secretBytes = 32;
const restartMs = 500;
const lastAnswersMs = 20_000;

interface Instance {
  number: number;
  port: number;
  process: ChildProcess;
}

export class Cluster {
  readonly postgres: PostgresProcess;
  readonly clickhouse: ClickHouseProcess;
  readonly s3: S3Server;
  readonly #options: ClusterOptions;
  readonly #secret: string;
  readonly #proxy = new RoundRobin();
  readonly #instances = new Map<number, Instance>();
  #url = '';
  #isStopping = false;

  private constructor(options: ClusterOptions, secret: string, s3: S3Server, clickHousePort: number) {
    this.#options = options;
    this.#secret = secret;
    this.s3 = s3;
    this.postgres = new PostgresProcess({ folder: join(options.dataDir, 'postgres'), isDurable: true });
    this.clickhouse = new ClickHouseProcess(join(options.dataDir, 'clickhouse'), clickHousePort);
  }

  /** Resolves when all gateways are ready. */
  static async start(options: ClusterOptions): Promise<Cluster> {
    const { dataDir } = options;
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    // PostgreSQL runs as another user than root, who must get to its folder; what is beside it stays closed.
    if (process.getuid?.() === 0) chmodSync(dataDir, 0o711);
    const secret = secretIn(dataDir);
    const s3 = await S3Server.start(join(dataDir, 's3'), { keyId: 'cluster', keySecret: secret });
    const cluster = new Cluster(options, secret, s3, await freePort());
    try {
      await Promise.all([cluster.postgres.start(), cluster.clickhouse.start()]);
      cluster.#url = `http://localhost:${await cluster.#proxy.listen(options.port)}`;
      writeClusterFile(options.dataDir, { postgres: cluster.postgres.url, clickhouse: cluster.clickhouse.url, url: cluster.#url });
      // The first one migrates the schemas.
      for (let number = 0; number < options.instances; number++) await cluster.startInstance(number);
      return cluster;
    } catch (error) {
      await cluster.stop();
      throw error;
    }
  }

  /** Of the proxy. */
  get url(): string {
    return this.#url;
  }

  /** Addresses of the gateways that run, by their number. */
  get instances(): ReadonlyMap<number, string> {
    return new Map([...this.#instances].map(([number, { port }]) => [number, `http://localhost:${port}`]));
  }

  /** Resolves when it is ready and has its share of the requests. */
  async startInstance(number: number): Promise<void> {
    const port = await freePort();
    const dataDir = join(this.#options.dataDir, `gateway-${number}`);
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    const [program = process.execPath, ...args] = this.#options.gateway;
    const child = spawn(program, [...args, '--port', String(port), '--host', '127.0.0.1', '--data', dataDir], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...this.#variables(port), ...this.#furtherVariables(number) },
    });
    this.#instances.set(number, { number, port, process: child });
    child.on('exit', () => this.#ended(number, child));
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (text: Buffer) => this.#options.onOutput?.(number, text.toString()));
    }
    await isReady(child, `http://127.0.0.1:${port}/ready`);
    this.#share();
  }

  /** Sends a signal to a gateway, and resolves when it has ended. It is not started again by itself. */
  async endInstance(number: number, signal: NodeJS.Signals): Promise<void> {
    const instance = this.#instances.get(number);
    if (!instance) return;
    const ended = instance.process.exitCode === null && instance.process.signalCode === null ? once(instance.process, 'exit') : null;
    this.#instances.delete(number);
    // A load balancer learns of a stop before it begins, and lets the gateway answer what it has.
    if (signal === 'SIGTERM') {
      this.#share();
      await this.#proxy.answered(instance.port, lastAnswersMs);
    }
    instance.process.kill(signal);
    await ended;
    this.#share();
  }

  /** Sends a signal that does not end a gateway, such as SIGSTOP. */
  signalInstance(number: number, signal: NodeJS.Signals): void {
    this.#instances.get(number)?.process.kill(signal);
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    await Promise.all([...this.#instances.keys()].map((number) => this.endInstance(number, 'SIGTERM')));
    await this.#proxy.close().catch(() => {});
    await this.clickhouse.kill();
    await this.s3.stop();
    await this.postgres.stop();
    this.postgres.clean();
  }

  #variables(port: number): Record<string, string> {
    const { url, region, keyId, keySecret } = this.s3.place;
    return {
      GLASSHOUSE_SECRET: this.#secret,
      GLASSHOUSE_POSTGRES_URL: this.postgres.url,
      GLASSHOUSE_CLICKHOUSE_URL: this.clickhouse.url,
      GLASSHOUSE_S3_URL: url,
      GLASSHOUSE_S3_REGION: region,
      GLASSHOUSE_S3_KEY_ID: keyId,
      GLASSHOUSE_S3_KEY_SECRET: keySecret,
      GLASSHOUSE_PUBLIC_URL: this.#url,
      GLASSHOUSE_INTERNAL_URL: `http://127.0.0.1:${port}`,
      GLASSHOUSE_TRUSTED_PROXIES: '127.0.0.1',
    };
  }

  #furtherVariables(number: number): Record<string, string> | undefined {
    const { environment } = this.#options;
    return typeof environment === 'function' ? environment(number, this.clickhouse.url) : environment;
  }

  #share(): void {
    this.#proxy.use([...this.#instances.values()].map(({ port }) => port));
  }

  /** A gateway that ended by itself is started again. */
  #ended(number: number, child: ChildProcess): void {
    if (this.#isStopping || this.#instances.get(number)?.process !== child) return;
    this.#instances.delete(number);
    this.#share();
    setTimeout(() => {
      if (!this.#isStopping && !this.#instances.has(number)) this.startInstance(number).catch(() => {});
    }, restartMs);
  }
}

/** The secret of the cluster, made once. */
function secretIn(dataDir: string): string {
  const file = join(dataDir, 'secret');
  if (!existsSync(file)) writeFileSync(file, `${randomBytes(secretBytes).toString('base64')}\n`, { mode: 0o600 });
  return readFileSync(file, 'utf8').trim();
}

async function isReady(child: ChildProcess, url: string): Promise<void> {
  for (const deadline = performance.now() + startLimitMs; ; await new Promise((resolve) => setTimeout(resolve, 50))) {
    const answer = await fetch(url).catch(() => null);
    if (answer?.ok) return;
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`A gateway ended before it was ready (${child.exitCode})`);
    if (performance.now() > deadline) throw new Error('A gateway did not become ready in time');
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  await once(server.close(), 'close');
  return typeof address === 'object' && address ? address.port : 0;
}
