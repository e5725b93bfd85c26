/**
 * Handler as a process: started on a port, monitored, restarted when it ends, and ended with the gateway. It runs code of others. It gets its
 * folder, a port, and nothing of the gateway's environment; Node's permission model blocks other files, programs and native code. This is no
 * security boundary against malicious code, which has network access. To host strangers, use a runtime that is one.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';

/** Loaded before the handler: ends it with the gateway, however that ended, for then its stdin ends. */
const leash = `data:text/javascript,${encodeURIComponent("process.stdin.on('end', () => process.exit()).on('error', () => process.exit()).resume()")}`;
const probePauseMs = 50;
const saidMax = 2000;

export interface Patience {
  /** Until a handler listens on its port. */
  readyMs: number;
  /** Before it is started again; twice as long each time, up to `restartMostMs`. */
  restartMs: number;
  restartMostMs: number;
  /** Between asking it to end and ending it. */
  endMs: number;
}

export class HandlerProcess {
  readonly #folder: string;
  readonly #entryPoint: string;
  readonly #patience: Patience;
  readonly #stopping = new AbortController();
  #child: ChildProcess | null = null;
  #said = '';
  #isWell = false;

  constructor(folder: string, entryPoint: string, patience: Patience) {
    this.#folder = folder;
    this.#entryPoint = entryPoint;
    this.#patience = patience;
  }

  /** Whether it listens; false while it is started again. */
  get isWell(): boolean {
    return this.#isWell;
  }

  /** Null once it listens; else why it does not. */
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
    const late = setTimeout(() => child.kill('SIGKILL'), this.#patience.endMs);
    await ended;
    clearTimeout(late);
  }

  async #run(): Promise<string | null> {
    const port = await freePort();
    if (this.#stopping.signal.aborted) return 'it was stopped';
    this.#said = '';
    const child = this.#spawn(port);
    this.#child = child;
    const giveUpAt = performance.now() + this.#patience.readyMs;
    while (!hasEnded(child) && performance.now() < giveUpAt) {
      if (await listens(port)) {
        this.#isWell = true;
        return null;
      }
      await after(probePauseMs);
    }
    if (hasEnded(child)) return `The handler ended before it listened on PORT: ${this.#lastWords()}`;
    child.kill('SIGKILL');
    return `The handler did not listen on PORT within ${this.#patience.readyMs / 1000} seconds: ${this.#lastWords()}`;
  }

  #spawn(port: number): ChildProcess {
    const rights = [`--allow-fs-read=${this.#folder}`, `--allow-fs-write=${this.#folder}`];
    const entry = join(this.#folder, this.#entryPoint);
    const child = spawn(process.execPath, ['--permission', ...rights, '--import', leash, entry], {
      cwd: this.#folder,
      env: { HOME: this.#folder, TMPDIR: this.#folder, NODE_ENV: 'production', PORT: String(port) },
      stdio: ['pipe', 'ignore', 'pipe'],
    });
    const note = (text: string) => {
      this.#said = (this.#said + text).slice(-saidMax);
    };
    child.stderr?.setEncoding('utf8').on('data', note);
    child.stdin?.on('error', () => {});
    child.once('error', (error) => note(error.message));
    return child;
  }

  /** Starts it again whenever it ends, until it is stopped. */
  async #watch(): Promise<void> {
    const { signal } = this.#stopping;
    const { restartMs, restartMostMs } = this.#patience;
    for (let pauseMs = restartMs; !signal.aborted; pauseMs = Math.min(2 * pauseMs, restartMostMs)) {
      const since = performance.now();
      await ending(this.#child);
      this.#isWell = false;
      // A process that was healthy for long restarts without delay.
      if (performance.now() - since > restartMostMs) pauseMs = restartMs;
      await after(pauseMs, undefined, { signal }).catch(() => {});
      if (!signal.aborted) await this.#run();
    }
  }

  #lastWords(): string {
    const { exitCode, signalCode } = this.#child ?? {};
    return (
      this.#said.trim() || `it said nothing${exitCode === null ? '' : `, exit code ${exitCode}`}${signalCode ? `, ${signalCode}` : ''}`
    );
  }
}

/** A process that never started has no id. */
const hasEnded = ({ exitCode, signalCode, pid }: ChildProcess): boolean => exitCode !== null || signalCode !== null || pid === undefined;

const ending = (child: ChildProcess | null): Promise<unknown> =>
  !child || hasEnded(child) ? Promise.resolve() : new Promise((resolve) => child.once('close', resolve));

const listens = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' });
    const tell = (answer: boolean) => () => {
      socket.destroy();
      resolve(answer);
    };
    socket.once('connect', tell(true)).once('error', tell(false));
  });

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject).listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
