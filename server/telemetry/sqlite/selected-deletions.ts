/** Deletions of traces: finds them with the readers and passes them to the writer, some at a time. */
import type { Scope } from '../../platform/scope.ts';
import { StorageError } from '../storage-error.ts';
import type { DeletionChange, DeletionCount, TraceDeletion, TraceDeletions, TraceSelection } from '../trace-deletions.ts';
import type { RemoteReads } from './read/read-calls.ts';
import type { RemoteCommands } from './write/commands.ts';

/** Traces that are counted, or listed by the writer, at once: some milliseconds. */
const traceRowsAtOnce = 2_000;

type Listener = (change: DeletionChange) => void;

export class SelectedDeletions implements TraceDeletions {
  readonly #reads: RemoteReads['deletions'];
  readonly #commands: RemoteCommands['deletions'];
  readonly #listeners = new Set<Listener>();

  constructor(reads: RemoteReads['deletions'], commands: RemoteCommands['deletions']) {
    this.#reads = reads;
    this.#commands = commands;
  }

  async count(scope: Scope, selection: TraceSelection): Promise<DeletionCount> {
    return this.#sum(scope, await this.#select(scope, selection));
  }

  async begin(scope: Scope, id: string, selection: TraceSelection): Promise<TraceDeletion> {
    const rows = await this.#select(scope, selection);
    const { forwarded } = await this.#sum(scope, rows);
    await this.#commands.begin(scope, id);
    try {
      for (const part of partsOf(rows)) await this.#commands.add(scope, id, part);
      await this.#commands.accept(id, JSON.stringify(forwarded));
    } catch (error) {
      await this.#commands.abandon(id).catch(() => {});
      throw error;
    }
    const begun = await this.#reads.find(scope, id);
    if (!begun) throw new StorageError('io', `Deletion ${id} was not stored`);
    return begun.decode();
  }

  find(scope: Scope, id: string) {
    return this.#reads.find(scope, id);
  }

  follow(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  notify(change: DeletionChange): void {
    for (const listener of this.#listeners) listener(change);
  }

  /** All traces of a selection. A search that takes too long for one read is split by time. */
  async #select(scope: Scope, selection: TraceSelection, range: [number, number] | null = null): Promise<number[]> {
    const found = (await this.#reads.select(scope, selection, range)).decode();
    if (found.isWhole) return found.rows;
    const [from, to] = found.range;
    const middle = Math.floor((from + to) / 2);
    if (middle === from) throw new StorageError('slow', 'The traces of one millisecond take too long to search');
    const newer = await this.#select(scope, selection, [middle, to]);
    return newer.concat(await this.#select(scope, selection, [from, middle]));
  }

  async #sum(scope: Scope, rows: readonly number[]): Promise<DeletionCount> {
    const sum: DeletionCount = { traces: 0, spans: 0, forwarded: [] };
    const byName = new Map<string, number>();
    for (const part of partsOf(rows)) {
      const { traces, spans, forwarded } = (await this.#reads.count(scope, part)).decode();
      sum.traces += traces;
      sum.spans += spans;
      for (const { name, traces } of forwarded) byName.set(name, (byName.get(name) ?? 0) + traces);
    }
    return { ...sum, forwarded: [...byName].map(([name, traces]) => ({ name, traces })) };
  }
}

function* partsOf(rows: readonly number[]): Generator<number[]> {
  for (let at = 0; at < rows.length; at += traceRowsAtOnce) yield rows.slice(at, at + traceRowsAtOnce);
}
