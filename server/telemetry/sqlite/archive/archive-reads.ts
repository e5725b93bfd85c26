import type { Score } from '../../../../shared/contract/evaluation/scores.ts';
import type { OpenedArchive, TraceFile } from '../../archive-store.ts';
import { storedTags } from '../file/damaged.ts';
import { ReadFile } from '../read/read-answer.ts';
import type { ReadContext } from '../read/read-context.ts';
import type { PartKind } from './archive-format.ts';
import { ExportedTraces, ExportRefusal, type FoundTrace } from './exported-traces.ts';
import { BadArchive, openArchive } from './open-archive.ts';
import { packArchive } from './pack-archive.ts';

type PackedFile = Omit<TraceFile, 'bytes'>;
type Opened = Omit<OpenedArchive, 'bytes'>;

export class ArchiveReads {
  readonly #context: ReadContext;
  readonly #exported: ExportedTraces;
  readonly #addedTags;

  constructor(context: ReadContext) {
    this.#context = context;
    this.#exported = new ExportedTraces(context);
    this.#addedTags = context.db.prepare<[number], string>('SELECT added_tags FROM trace WHERE id = ?').pluck();
  }

  otlp(scope: number, traceIds: readonly string[]): ReadFile<PackedFile> {
    return fileOf(() => {
      const traces = this.#exported.find(scope, traceIds);
      const parts = [...this.#exported.parts(traces, false)];
      const partValue = (wanted: PartKind) => parts.find(({ kind }) => kind === wanted)?.value;
      const logs = partValue('logs');
      return Buffer.from(`{"resourceSpans":${partValue('traces') ?? '[]'}${logs === undefined ? '' : `,"resourceLogs":${logs}`}}`);
    });
  }

  pack(scope: number, traceIds: readonly string[], createdMs: number): ReadFile<PackedFile> {
    return fileOf(() => {
      const traces = this.#exported.find(scope, traceIds);
      return packArchive(this.#exported, traces, { scores: this.#scores(scope, traces), addedTags: this.#tagsOf(traces), createdMs });
    });
  }

  open(_scope: number, bytes: Uint8Array): ReadFile<Opened> {
    try {
      const { manifest, parts, scores } = openArchive(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
      const all = Buffer.concat(parts.map((part) => part.bytes));
      let at = 0;
      const positions = parts.map(({ signal, bytes: { length: size } }) => {
        at += size;
        return { signal, at: at - size, size };
      });
      return openedFile(
        { problem: null, trace_ids: manifest.trace_ids, parts: positions, scores, added_tags: manifest.added_tags ?? {} },
        all,
      );
    } catch (error) {
      if (!(error instanceof BadArchive)) throw error;
      return openedFile({ problem: error.message, trace_ids: [], parts: [], scores: [], added_tags: {} }, Buffer.alloc(0));
    }
  }

  #tagsOf(traces: readonly FoundTrace[]): Record<string, string[]> {
    const tagged = traces.map(({ id, trace_id }): [string, string[]] => [trace_id, storedTags(this.#addedTags.get(id) ?? '[]')]);
    return Object.fromEntries(tagged.filter(([, tags]) => tags.length > 0));
  }

  /** Complete scores, because those of a trace read lack the session. */
  #scores(scope: number, traces: readonly FoundTrace[]): Score[] {
    const { scores } = this.#context;
    return traces.flatMap(({ id }) => scores.ofTrace(scope, id).flatMap((score) => scores.find(scope, score.id) ?? []));
  }
}

const openedFile = (value: Opened, bytes: Buffer) => new ReadFile(value, new Uint8Array(bytes));

function fileOf(build: () => Buffer): ReadFile<PackedFile> {
  try {
    return new ReadFile<PackedFile>({ problem: null }, new Uint8Array(build()));
  } catch (error) {
    if (!(error instanceof ExportRefusal)) throw error;
    return new ReadFile<PackedFile>({ problem: error.problem }, new Uint8Array(0));
  }
}
