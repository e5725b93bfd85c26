/** Bytes written to the write-ahead log of a store, from the counters in its shared-memory file. The log itself is written over. */
import { closeSync, openSync, readSync } from 'node:fs';
import { telemetryFile } from '../../server/telemetry/sqlite/store.ts';

const pollMs = 20;
/** Of each page in the log. */
const frameHeaderBytes = 24;

export class LogBytes {
  readonly #file: number;
  readonly #header = Buffer.alloc(48);
  readonly #timer: NodeJS.Timeout;
  #frames = 0;
  #last: { frames: number; salt: number };
  #pageBytes = 0;

  /** Counts from now on. The store must be open, and `stop` must be called. */
  constructor(dataDir: string) {
    this.#file = openSync(`${telemetryFile(dataDir)}-shm`, 'r');
    this.#last = this.#read();
    this.#timer = setInterval(() => this.#count(), pollMs);
  }

  /** @returns bytes since the constructor call. A log that starts anew between two polls hides its last frames. */
  stop(): number {
    clearInterval(this.#timer);
    this.#count();
    closeSync(this.#file);
    return this.#frames * (this.#pageBytes + frameHeaderBytes);
  }

  #count(): void {
    const now = this.#read();
    this.#frames += now.salt === this.#last.salt && now.frames >= this.#last.frames ? now.frames - this.#last.frames : now.frames;
    this.#last = now;
  }

  /** Layout: https://www.sqlite.org/walformat.html#the_wal_index_header */
  #read(): { frames: number; salt: number } {
    readSync(this.#file, this.#header, 0, this.#header.length, 0);
    const size = this.#header.readUInt16LE(14);
    this.#pageBytes = size === 1 ? 65_536 : size;
    return { frames: this.#header.readUInt32LE(16), salt: this.#header.readUInt32LE(32) };
  }
}
