/**
 * Request bodies made ahead of time and kept in files, so that a load generator only copies bytes. They lie in the system's
 * temporary folder and serve later runs too, for as long as their timestamps are recent.
 */
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AgentStream } from './agent-stream.ts';
import { encode, type Format } from './formats.ts';
import { agentService, type Span } from './span.ts';

/** Raise it when the traffic changes: old bodies are then not taken again. */
const version = 2;
const batchSpans = 100;
/** Exporters cut batches by size too; a megabyte answer would otherwise make a body of many. */
const batchBytesMax = 3_000_000;
const hourMs = 3_600_000;
const freshMs = 48 * hourMs;

export interface Special {
  size: number;
  id: string;
}

/** How far into the bodies a store of a given size has come. */
export interface Checkpoint {
  requests: number;
  spans: number;
  traces: number;
  specials: Special[];
}

export interface BodiesPlan {
  seed: string;
  formats: readonly Format[];
  /** Span counts at which the stream pauses; the last is where it ends. */
  checkpoints: readonly number[];
}

export interface BodyIndex {
  dir: string;
  /** Spans of each request. */
  spans: number[];
  /** Offset of each request in the file of a format, and the end of the last one. */
  offsets: Partial<Record<Format, number[]>>;
  checkpoints: Checkpoint[];
}

const bodiesRoot = (): string => join(tmpdir(), 'glasshouse-bench-bodies');

/** Makes the bodies of a plan, or finds those that an earlier run made. */
export function prepareBodies(plan: BodiesPlan): BodyIndex {
  const dir = join(bodiesRoot(), `v${version}-${plan.seed}-${plan.checkpoints.join('-')}-${plan.formats.join('-')}`);
  const file = join(dir, 'index.json');
  if (existsSync(file) && Date.now() - statSync(file).mtimeMs < freshMs) return JSON.parse(readFileSync(file, 'utf8')) as BodyIndex;
  rmSync(dir, { recursive: true, force: true });
  mkdirSync(dir, { recursive: true });
  const writer = new BodyWriter(dir, plan);
  const index = writer.run();
  // Only whole bodies have an index.
  writeFileSync(`${file}.part`, JSON.stringify(index));
  renameSync(`${file}.part`, file);
  return index;
}

export class BodyReader {
  readonly #file: number;
  readonly #offsets: number[];

  constructor({ dir, offsets }: BodyIndex, format: Format) {
    this.#offsets = offsets[format] ?? [];
    this.#file = openSync(join(dir, `bodies.${format}`), 'r');
  }

  read(request: number): Buffer {
    const [from, to] = [this.#offsets[request] as number, this.#offsets[request + 1] as number];
    const body = Buffer.allocUnsafeSlow(to - from);
    readSync(this.#file, body, 0, to - from, from);
    return body;
  }

  close(): void {
    closeSync(this.#file);
  }
}

class BodyWriter {
  readonly #dir: string;
  readonly #plan: BodiesPlan;
  readonly #stream: AgentStream;
  readonly #files: Map<Format, number>;
  readonly #offsets: Partial<Record<Format, number[]>>;
  readonly #requests: number[] = [];
  readonly #specials: Special[] = [];
  #batch: Span[] = [];
  #batchBytes = 0;
  #spans = 0;

  constructor(dir: string, plan: BodiesPlan) {
    this.#dir = dir;
    this.#plan = plan;
    // Lists of recent days must find every trace, and no clock may look wrong.
    this.#stream = new AgentStream(plan.seed, Math.floor(Date.now() / hourMs) * hourMs - 22 * hourMs);
    this.#files = new Map(plan.formats.map((format) => [format, openSync(join(dir, `bodies.${format}`), 'w')]));
    this.#offsets = Object.fromEntries(plan.formats.map((format) => [format, [0]]));
  }

  run(): BodyIndex {
    const checkpoints: Checkpoint[] = [];
    for (const goal of this.#plan.checkpoints) {
      this.#addSpecials(checkpoints.length, goal);
      while (this.#spans < goal) this.#add(this.#stream.next());
      this.#add(this.#stream.drain());
      this.#flush();
      checkpoints.push({
        requests: this.#requests.length,
        spans: this.#spans,
        traces: this.#stream.traceCount,
        specials: [...this.#specials],
      });
    }
    for (const file of this.#files.values()) closeSync(file);
    return { dir: this.#dir, spans: this.#requests, offsets: this.#offsets, checkpoints };
  }

  /** Traces of known size for detail reads: small ones and a thousand at first, ten thousand once there is room. */
  #addSpecials(stage: number, goal: number): void {
    const sizes =
      stage === 0
        ? [10, 10, 10, 10, 1000]
        : goal - this.#spans > 20_000 && !this.#specials.some(({ size }) => size === 10_000)
          ? [10_000]
          : [];
    for (const size of sizes) {
      const trace = this.#stream.special(size);
      this.#specials.push({ size, id: trace.id });
      this.#add(trace.spans);
    }
  }

  #add(spans: Span[]): void {
    for (const span of spans) {
      const bytes = span.attributes.reduce(
        (sum, [key, value]) => sum + key.length + 40 + (typeof value === 'string' ? value.length : 8),
        600,
      );
      if (this.#batch.length >= batchSpans || (this.#batch.length > 0 && this.#batchBytes + bytes > batchBytesMax)) this.#flush();
      this.#batch.push(span);
      this.#batchBytes += bytes;
      this.#spans++;
    }
  }

  #flush(): void {
    if (this.#batch.length === 0) return;
    for (const [format, file] of this.#files) {
      const body = encode(this.#batch, agentService, format);
      writeSync(file, body);
      const offsets = this.#offsets[format] as number[];
      offsets.push((offsets.at(-1) as number) + body.length);
    }
    this.#requests.push(this.#batch.length);
    this.#batch = [];
    this.#batchBytes = 0;
  }
}
