/** A ClickHouse server of one's own, from the packages of `npm run cluster:install`: for tests, and for a cluster on one machine. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const startLimitMs = 120_000;
const retryMs = 20;
const packages = join(import.meta.dirname, '../../deploy/cluster');
const library = join(packages, `node_modules/@chdb/lib-${process.platform}-${process.arch}-gnu/libchdb.so`);

export class ClickHouseProcess {
  /** Address of the database `default`. */
  readonly url: string;
  readonly #folder: string;
  readonly #port: number;
  #process: ChildProcess | null = null;

  /** @param folder of its files; created when missing @throws Error with what to do when there is no ClickHouse */
  constructor(folder: string, port: number) {
    if (!existsSync(library))
      throw new Error(
        'ClickHouse is needed, and there is none: run npm run cluster:install (Linux on x64 only), or set GLASSHOUSE_CLICKHOUSE_URL to the address of a server where databases may be created.',
      );
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    this.#folder = folder;
    this.#port = port;
    this.url = `http://127.0.0.1:${port}`;
  }

  /** Resolves when it answers. */
  async start(): Promise<void> {
    const started = spawn(process.execPath, [join(packages, 'clickhouse-server.cjs'), this.#folder, String(this.#port)], {
      stdio: ['pipe', 'ignore', 'pipe'],
    });
    this.#process = started;
    started.stdin.on('error', () => {});
    await answered(this.url, started);
  }

  /** Ends it at once (SIGKILL). Its files and its address stay. */
  async kill(): Promise<void> {
    const { exitCode, signalCode } = this.#process ?? { exitCode: 0, signalCode: null };
    if (exitCode !== null || signalCode !== null) return;
    this.#process?.kill('SIGKILL');
    await once(this.#process as ChildProcess, 'exit');
  }
}

/** Resolves when the server answers. */
async function answered(url: string, server: ChildProcess): Promise<void> {
  let log = '';
  server.stderr?.on('data', (part: Buffer) => (log = `${log}${part}`.slice(-4000)));
  for (const deadline = performance.now() + startLimitMs; ; await sleep(retryMs)) {
    const answer = await fetch(`${url}/ping`).catch(() => null);
    if (answer?.ok) return;
    if (server.exitCode !== null || performance.now() > deadline) throw new Error(`ClickHouse did not start: ${log}`);
  }
}
