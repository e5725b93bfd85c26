/**
 * Repeats kill -9 at random times under load on one growing store, and after each start compares everything that was acknowledged with
 * what is stored.
 */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { type GatewayProcess, spawnGateway } from '../gateway/gateway-process.ts';
import { HttpClient } from '../gateway/http-client.ts';
import { checkLists, checkTraces } from './check-store.ts';
import { CrashClient } from './client.ts';
import { planCycle } from './kill-plan.ts';
import { Ledger } from './ledger.ts';

export interface CrashOptions {
  cycles: number;
  clients: number;
  seed: string;
  dataDir: string;
  log: (line: string) => void;
}

export interface CrashResult {
  ackedSpans: number;
  storedSpans: number;
  traces: number;
  unanswered: number;
  /** From starting the process to its first answer, after each kill. */
  readyMs: number[];
  problems: string[];
}

const problemsMax = 20;
/** Checking every page of a large database after every kill would take most of the run. */
const wholeCheckBytesMax = 192 * 1024 * 1024;
const wholeCheckEvery = 20;

export async function runCrash(options: CrashOptions): Promise<CrashResult> {
  return new CrashRun(options).run();
}

class CrashRun {
  readonly #options: CrashOptions;
  readonly #ledger = new Ledger();
  readonly #problems: string[] = [];
  readonly #readyMs: number[] = [];
  readonly #clients: CrashClient[];
  readonly #report = (problem: string): void => void this.#problems.push(problem);
  #gateway!: GatewayProcess;
  #url = '';

  constructor(options: CrashOptions) {
    this.#options = options;
    this.#clients = Array.from(
      { length: options.clients },
      (_, number) => new CrashClient(options.seed, number, this.#ledger, this.#report),
    );
  }

  async run(): Promise<CrashResult> {
    await this.#start();
    try {
      for (let number = 1; number <= this.#options.cycles && this.#problems.length === 0; number++) await this.#cycle(number);
      if (this.#problems.length === 0) await this.#finish();
    } catch (error) {
      this.#report(error instanceof Error ? (error.stack ?? error.message) : String(error));
    } finally {
      await this.#gateway.kill();
    }
    if (this.#problems.length > 0) this.#problems.push(`stderr of the gateway: ${this.#gateway.stderr() || '(empty)'}`);
    const stored = [...this.#ledger.traces.values()].reduce((sum, trace) => sum + trace.present().length, 0);
    return {
      ackedSpans: this.#ledger.ackedSpans,
      storedSpans: stored,
      traces: this.#ledger.traces.size,
      unanswered: this.#ledger.unanswered.size,
      readyMs: this.#readyMs,
      problems: this.#problems.slice(-problemsMax),
    };
  }

  async #cycle(number: number): Promise<void> {
    const { kill, killStartAfterMs } = planCycle(this.#options.seed, number);
    const before = this.#ledger.ackedSpans;
    const loading = Promise.all(this.#clients.map((client) => client.load(this.#url)));
    await sleep(kill.moment === 'loading' ? kill.afterMs : 400);
    if (kill.moment === 'idle') {
      for (const client of this.#clients) client.stop();
      await loading;
      await sleep(kill.afterMs);
    }
    await this.#gateway.kill();
    await loading;
    if (killStartAfterMs !== null) await this.#killWhileStarting(killStartAfterMs);
    await this.#start();
    const isWhole = await this.#check(number);
    const acked = this.#ledger.ackedSpans - before;
    const again = killStartAfterMs === null ? '' : `, again ${killStartAfterMs} ms into its start`;
    this.#options.log(
      `cycle ${number}: killed ${kill.moment} after ${kill.afterMs} ms${again}; ${acked} spans acknowledged, ready again in ` +
        `${this.#readyMs.at(-1)?.toFixed(0)} ms, ${this.#problems.length === 0 ? 'all stored' : 'PROBLEMS'}${isWhole ? '' : ' (quick check of pages)'}`,
    );
  }

  async #start(): Promise<void> {
    const began = performance.now();
    this.#gateway = spawnGateway(this.#options.dataDir);
    this.#url = await this.#gateway.ready;
    const client = new HttpClient(this.#url, 1);
    const { status } = await client.get('/health');
    client.close();
    if (status !== 200) this.#report(`/health answered ${status} after the ready line`);
    this.#readyMs.push(performance.now() - began);
  }

  async #killWhileStarting(afterMs: number): Promise<void> {
    const gateway = spawnGateway(this.#options.dataDir);
    await sleep(afterMs);
    await gateway.kill();
  }

  /** @returns whether every page was checked */
  async #check(number: number): Promise<boolean> {
    const client = new HttpClient(this.#url, 8);
    await checkTraces(client, this.#ledger, this.#ledger.touched, this.#report);
    this.#ledger.touched.clear();
    await checkLists(client, this.#ledger, this.#report);
    client.close();
    const isSmall = statSync(this.#file).size <= wholeCheckBytesMax;
    const isWhole = isSmall || number % wholeCheckEvery === 0;
    this.#checkPages(isWhole ? 'integrity_check' : 'quick_check');
    return isWhole;
  }

  get #file(): string {
    return join(this.#options.dataDir, 'telemetry.db');
  }

  #checkPages(check: 'integrity_check' | 'quick_check'): void {
    const db = new Database(this.#file, { readonly: true });
    const result = db.pragma(check, { simple: true });
    db.close();
    if (result !== 'ok') this.#report(`PRAGMA ${check}: ${String(result)}`);
  }

  /** Checks everything once more, then stops the gateway: it must drain, checkpoint and exit with 0. */
  async #finish(): Promise<void> {
    const client = new HttpClient(this.#url, 8);
    await checkTraces(client, this.#ledger, this.#ledger.traces.keys(), this.#report, 'all');
    await checkLists(client, this.#ledger, this.#report);
    client.close();
    this.#checkPages('integrity_check');
    const code = await this.#gateway.stop();
    if (code !== 0) this.#report(`SIGTERM ended the gateway with ${code}: ${this.#gateway.stderr()}`);
    const log = statSync(`${this.#file}-wal`, { throwIfNoEntry: false })?.size ?? 0;
    if (log !== 0) this.#report(`${log} bytes of write-ahead log remain`);
  }
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
