/**
 * Request bodies that are generated in advance and stored in files, so that a load generator only copies bytes. They are in the system's
 * temporary folder, and later runs reuse them while their timestamps are recent.
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

/** Increment it when the traffic changes, so that old bodies are not reused. */
const version = 2;
const batchSpans = 100;
/** Exporters limit batches by size too; otherwise an output of a megabyte would make a body of many. */
const batchBytesMax = 3_000_000;
const hourMs = 3_600_000;
const freshMs = 48 * hourMs;

export interface Special {
  size: number;
  id: string;
}

/** The position in the bodies at which a store has a given size. */
export interface Checkpoint {
  requests: number;
  spans: number;
  traces: number;
  specials: Special[];
}

export interface BodiesPlan {
  seed: string;
  formats: readonly Format[];
  /** Span counts of the checkpoints; the stream ends at the last. */
  checkpoints: readonly number[];
}

export interface BodyIndex {
  dir: string;
  /** The number of spans of each request. */
  spans: number[];
  /** Offset of each request in the file of a format, and the end of the last one. */
  offsets: Partial<Record<Format, number[]>>;
  checkpoints: Checkpoint[];
}

const bodiesRoot = (): string => join(tmpdir(), 'glasshouse-bench-bodies');

/** Generates the bodies of a plan, or reuses those of an earlier run. */
export function prepareBodies(plan: BodiesPlan): BodyIndex {
  const dir = join(bodiesRoot(), `v${version}-${plan.seed}-${plan.checkpoints.join('-')}-${plan.formats.join('-')}`);
  const file = join(dir, 'index.json');
  if (existsSync(file) && Date.now() - statSync(file).mtimeMs < freshMs) return JSON.parse(readFileSync(file, 'utf8')) as BodyIndex;
  rmSync(dir, { recursive: true, force: true });
  mkdirSync(dir, { recursive: true });
  const writer = new BodyWriter(dir, plan);
  const index = writer.run();
  // The index is written last, so it exists only with complete bodies.
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
    // Recent enough for lists of the last days, and not in the future.
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

  /** Traces of known size for detail reads: 10 and 1,000 spans at first, 10,000 once the stage is large enough. */
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
