/** The log of the app: a packaged app has no terminal, so what it prints would be lost. */
import { appendFileSync, closeSync, mkdirSync, openSync, readSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { StringDecoder } from 'node:string_decoder';

const bytesMax = 5 * 1024 * 1024;

/** `main.log`, and before it `main.old.log`: at most 10 MiB together, readable by their owner only. */
export class LogFile {
  readonly folder: string;
  readonly path: string;
  readonly #old: string;
  readonly #bytesMax: number;
  #bytes: number;

  /** @throws errors of the file system */
  constructor(folder: string, limits: { bytesMax?: number } = {}) {
    this.folder = folder;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    this.path = join(folder, 'main.log');
    this.#old = join(folder, 'main.old.log');
    this.#bytesMax = limits.bytesMax ?? bytesMax;
    this.#bytes = statSync(this.path, { throwIfNoEntry: false })?.size ?? 0;
  }

  /** Never throws: what cannot be logged, such as on a full disk, must not end the app. @param text one or more lines */
  write(text: string): void {
    const line = `${text.startsWith('{"at":') ? '' : `${new Date().toISOString()} `}${text.endsWith('\n') ? text : `${text}\n`}`;
    try {
      if (this.#bytes > this.#bytesMax) {
        renameSync(this.path, this.#old);
        this.#bytes = 0;
      }
      appendFileSync(this.path, line, { mode: 0o600 });
      this.#bytes += Buffer.byteLength(line);
    } catch {
      // There is no better place for it.
    }
  }

  /** @returns the last complete lines, of at most 64 KiB; none when the file cannot be read */
  tail(lines: number): string[] {
    try {
      const file = openSync(this.path, 'r');
      try {
        const buffer = Buffer.alloc(64 * 1024);
        const from = Math.max(0, statSync(this.path).size - buffer.length);
        const read = readSync(file, buffer, 0, buffer.length, from);
        const all = buffer.toString('utf8', 0, read).trimEnd().split('\n');
        return (from > 0 ? all.slice(1) : all).slice(-lines);
      } finally {
        closeSync(file);
      }
    } catch {
      return [];
    }
  }
}

type Write = typeof process.stderr.write;

/** Writes what goes to a stream of this process to the log too. Threads print through the same streams. */
export function copyToLog(stream: { write: Write }, log: LogFile): void {
  const write = stream.write.bind(stream) as (...given: unknown[]) => boolean;
  const decoder = new StringDecoder('utf8');
  stream.write = ((chunk: string | Uint8Array, ...rest: unknown[]) => {
    const text = typeof chunk === 'string' ? chunk : decoder.write(Buffer.from(chunk));
    if (text.trim() !== '') log.write(text);
    return write(chunk, ...rest);
  }) as Write;
}
