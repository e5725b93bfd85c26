import type { DatasetRow, ImportResult, RowMapping } from '../../shared/contract/datasets.ts';
import { fail } from '../app/fail.ts';
import { Answer, defineModule } from '../app/module.ts';
import { fromProject, nameless, type Wording } from '../app/project-failure.ts';
import type { Scope } from '../platform/scope.ts';
import type { ProjectFiles } from '../project/project-files.ts';
import { type RowSource, rowOf, Unmappable } from '../project/row-mapping.ts';
import { sourceOfSpan, sourceOfTrace } from './datasets/sources.ts';

const wording: Wording = {
  field: 'datasetName',
  illegal: 'invalid_path_params',
  unreadable: 'invalid_path_params',
  tooLarge: 'payload_too_large',
};
const rowBytesMax = 5 * 1024 * 1024;

export const datasetsModule = defineModule({
  group: 'datasets',
  needs: ['project', 'telemetry'],
  build: ({ project, telemetry }) => ({
    list: async ({ scope }, { query: { limit, offset, name } }) => {
      const all = await fromProject(nameless, () => project.datasets(scope));
      const found = name === undefined ? all : all.filter((each) => leafOf(each.name) === name);
      return { data: found.slice(offset, offset + limit), pagination: { limit, offset, total: found.length } };
    },

    append: async ({ scope }, { params, body }) => {
      const line = lineOf(body);
      if (line === null) fail('payload_too_large', `A row holds at most ${rowBytesMax} bytes`, { limit: rowBytesMax });
      const line_number = await fromProject(wording, () => project.append(scope, params.datasetName, [line]));
      return { data: { line_number } };
    },

    importTraces: async ({ scope }, { params, body }) => {
      const read = (id: string) => sourceOfTrace(telemetry, scope, id, body.mapping);
      return imported(project, scope, params.datasetName, await rowsOf(body.trace_ids, read, body.mapping));
    },

    importSpans: async ({ scope }, { params, body }) => {
      const traces = (await telemetry.spans.tracesOf(scope, body.span_ids)).decode();
      const traceOf = new Map(body.span_ids.map((id, index) => [id, traces[index] ?? null]));
      const read = (id: string) => sourceOfSpan(telemetry, scope, traceOf.get(id) ?? null, id);
      return imported(project, scope, params.datasetName, await rowsOf(body.span_ids, read, body.mapping));
    },
  }),
});

const leafOf = (name: string): string => name.slice(name.lastIndexOf('/') + 1).replace(/\.jsonl$/, '');

/** The stored form, which names every field; null when it is too long. */
function lineOf({ input, expected_output = null, metadata = {} }: DatasetRow): string | null {
  const line = JSON.stringify({ input, expected_output, metadata });
  return Buffer.byteLength(line) > rowBytesMax ? null : line;
}

type Outcome = { source_id: string } & ({ line: string } | { error: string });

/** In the order asked; an id that is asked twice makes two rows. */
async function rowsOf(ids: readonly string[], read: (id: string) => Promise<RowSource | null>, mapping?: RowMapping): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const source_id of ids) {
    try {
      const source = await read(source_id);
      const line = source && lineOf(rowOf(source, mapping));
      if (source === null) outcomes.push({ source_id, error: 'Source not found' });
      else outcomes.push(line === null ? { source_id, error: `The row is larger than ${rowBytesMax} bytes` } : { source_id, line });
    } catch (error) {
      if (!(error instanceof Unmappable)) throw error;
      outcomes.push({ source_id, error: error.message });
    }
  }
  return outcomes;
}

/** Appends what became a row in one go, so that an import is in the file whole and in its order. */
async function imported(project: ProjectFiles, scope: Scope, name: string, outcomes: Outcome[]): Promise<Answer> {
  const lines = outcomes.flatMap((outcome) => ('line' in outcome ? [outcome.line] : []));
  let line_number = await fromProject(wording, () => project.append(scope, name, lines));
  const results = outcomes.map(
    (outcome): ImportResult =>
      'line' in outcome
        ? { source_id: outcome.source_id, status: 'created', line_number: line_number++ }
        : { source_id: outcome.source_id, status: 'failed', error: outcome.error },
  );
  return new Answer(lines.length === outcomes.length ? 201 : 207, { data: { added: lines.length, results } });
}
