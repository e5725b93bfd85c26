/**
 * A handler as a process: started on a port, monitored, restarted when it ends, and ended with the gateway. It runs code of others. It gets
 * its folder, a port, and nothing of the gateway's environment; Node's permission model blocks other files, programs and native code. This is
 * no security boundary against malicious code, which has network access. Untrusted code needs a runtime that is one.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';

/** Loaded before the handler. Ends it with the gateway, however that ends, because its stdin ends then. */
const leash = `data:text/javascript,${encodeURIComponent("process.stdin.on('end', () => process.exit()).on('error', () => process.exit()).resume()")}`;
const probePauseMs = 50;
const outputCharsMax = 2000;

export interface HandlerTimeouts {
  /** Until a handler listens on its port. */
  readyMs: number;
  /** Pause before a restart; twice as long each time, up to `restartMaxMs`. */
  restartMs: number;
  restartMaxMs: number;
  /** Between SIGTERM and SIGKILL. */
  endMs: number;
}

export class HandlerProcess {
  readonly #folder: string;
  readonly #entryPoint: string;
  readonly #timeouts: HandlerTimeouts;
  readonly #stopping = new AbortController();
  #child: ChildProcess | null = null;
  #output = '';
  #isHealthy = false;

  constructor(folder: string, entryPoint: string, timeouts: HandlerTimeouts) {
    this.#folder = folder;
    this.#entryPoint = entryPoint;
    this.#timeouts = timeouts;
  }

  /** Whether it listens; false while it is restarted. */
  get isHealthy(): boolean {
    return this.#isHealthy;
  }

  /** Resolves with null once it listens, otherwise with the reason why it does not. */
  async start(): Promise<string | null> {
    const failure = await this.#run();
    if (failure === null) void this.#watch();
    return failure;
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    const child = this.#child;
    if (!child || hasEnded(child)) return;
    const ended = new Promise((resolve) => child.once('close', resolve));
    child.kill('SIGTERM');
    const timer = setTimeout(() => child.kill('SIGKILL'), this.#timeouts.endMs);
    await ended;
    clearTimeout(timer);
  }

  async #run(): Promise<string | null> {
    const port = await freePort();
    if (this.#stopping.signal.aborted) return 'it was stopped';
    this.#output = '';
    const child = this.#spawn(port);
    this.#child = child;
    const giveUpAt = performance.now() + this.#timeouts.readyMs;
    while (!hasEnded(child) && performance.now() < giveUpAt) {
      if (await listens(port)) {
        this.#isHealthy = true;
        return null;
      }
      await after(probePauseMs);
    }
    if (hasEnded(child)) return `The handler ended before it listened on PORT: ${this.#lastOutput()}`;
    child.kill('SIGKILL');
    return `The handler did not listen on PORT within ${this.#timeouts.readyMs / 1000} seconds: ${this.#lastOutput()}`;
  }

  #spawn(port: number): ChildProcess {
    const rights = [`--allow-fs-read=${this.#folder}`, `--allow-fs-write=${this.#folder}`];
    const entry = join(this.#folder, this.#entryPoint);
    const child = spawn(process.execPath, ['--permission', ...rights, '--import', leash, entry], {
      cwd: this.#folder,
      env: { HOME: this.#folder, TMPDIR: this.#folder, NODE_ENV: 'production', PORT: String(port) },
      stdio: ['pipe', 'ignore', 'pipe'],
    });
    const append = (text: string) => {
      this.#output = (this.#output + text).slice(-outputCharsMax);
    };
    child.stderr?.setEncoding('utf8').on('data', append);
    child.stdin?.on('error', () => {});
    child.once('error', (error) => append(error.message));
    return child;
  }

  /** Restarts it whenever it ends, until it is stopped. */
  async #watch(): Promise<void> {
    const { signal } = this.#stopping;
    const { restartMs, restartMaxMs } = this.#timeouts;
    for (let pauseMs = restartMs; !signal.aborted; pauseMs = Math.min(2 * pauseMs, restartMaxMs)) {
      const startedMs = performance.now();
      await untilEnd(this.#child);
      this.#isHealthy = false;
      // A process that ran for long restarts after the shortest pause.
      if (performance.now() - startedMs > restartMaxMs) pauseMs = restartMs;
      await after(pauseMs, undefined, { signal }).catch(() => {});
      if (!signal.aborted) await this.#run();
    }
  }

  #lastOutput(): string {
    const { exitCode, signalCode } = this.#child ?? {};
    return this.#output.trim() || `no output${exitCode === null ? '' : `, exit code ${exitCode}`}${signalCode ? `, ${signalCode}` : ''}`;
  }
}

/** A process that never started has no id. */
const hasEnded = ({ exitCode, signalCode, pid }: ChildProcess): boolean => exitCode !== null || signalCode !== null || pid === undefined;

const untilEnd = (child: ChildProcess | null): Promise<unknown> =>
  !child || hasEnded(child) ? Promise.resolve() : new Promise((resolve) => child.once('close', resolve));

const listens = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' });
    const finish = (isListening: boolean) => () => {
      socket.destroy();
      resolve(isListening);
    };
    socket.once('connect', finish(true)).once('error', finish(false));
  });

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject).listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
