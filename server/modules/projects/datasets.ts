import type { DatasetRow, ImportResult, RowMapping } from '../../../shared/contract/projects/datasets.ts';
import { MappingError, type RowSource, rowOf } from '../../../shared/row-mapping.ts';
import { fail } from '../../app/fail.ts';
import { Answer, defineModule } from '../../app/module.ts';
import { fromProject, nameless, type Wording } from '../../app/project-failure.ts';
import type { Principal } from '../../identity/authenticator.ts';
import { sourceOfSpan, sourceOfTrace } from './datasets/sources.ts';

const wording: Wording = {
  field: 'datasetName',
  illegal: 'invalid_path_params',
  unreadable: 'invalid_path_params',
  tooLarge: 'payload_too_large',
};
const rowBytesMax = 5 * 1024 * 1024;
const tooLong = `A row holds at most ${rowBytesMax} bytes`;

export const datasetsModule = defineModule({
  group: 'datasets',
  needs: ['project', 'telemetry'],
  build: ({ project, telemetry }) => {
    const write = ({ scope, actor }: Principal, name: string, lines: string[]) =>
      fromProject(wording, () => project.append(scope, name, lines, actor));

    /** All rows are appended at once, so that an import is complete and in order. */
    const answerOf = async (principal: Principal, name: string, outcomes: Outcome[]): Promise<Answer> => {
      const lines = outcomes.flatMap(({ line }) => line ?? []);
      const first = await write(principal, name, lines);
      return new Answer(lines.length === outcomes.length ? 201 : 207, {
        data: { added: lines.length, results: resultsOf(outcomes, first) },
      });
    };

    return {
      list: async ({ scope }, { query: { limit, offset, name } }) => {
        const all = await fromProject(nameless, () => project.datasets(scope));
        const found = name === undefined ? all : all.filter((dataset) => leafOf(dataset.name) === name);
        return { data: found.slice(offset, offset + limit), pagination: { limit, offset, total: found.length } };
      },

      append: async ({ principal }, { params, body }) => {
        const line = lineOf(body) ?? fail('payload_too_large', tooLong, { limit: rowBytesMax });
        return { data: { line_number: await write(principal, params.datasetName, [line]) } };
      },

      importTraces: async ({ scope, principal }, { params, body: { trace_ids, mapping } }) => {
        const read = (id: string) => sourceOfTrace(telemetry, scope, id, mapping);
        return answerOf(principal, params.datasetName, await outcomesOf(trace_ids, read, mapping));
      },

      importSpans: async ({ scope, principal }, { params, body: { span_ids, mapping } }) => {
        const traces = (await telemetry.spans.tracesOf(scope, span_ids)).decode();
        const traceOf = new Map(span_ids.map((id, index) => [id, traces[index] ?? null]));
        const read = (id: string) => sourceOfSpan(telemetry, scope, traceOf.get(id) ?? null, id);
        return answerOf(principal, params.datasetName, await outcomesOf(span_ids, read, mapping));
      },
    };
  },
});

const leafOf = (name: string): string => name.slice(name.lastIndexOf('/') + 1).replace(/\.jsonl$/, '');

/** The stored form, which names every field; null when it is too long. */
function lineOf({ input, expected_output = null, metadata = {} }: DatasetRow): string | null {
  const line = JSON.stringify({ input, expected_output, metadata });
  return Buffer.byteLength(line) > rowBytesMax ? null : line;
}

/** Outcome for one id: the line of its row, or the reason for none. */
interface Outcome {
  source_id: string;
  line?: string;
  error?: string;
}

/** In the order of the ids; a repeated id makes two rows. */
async function outcomesOf(
  ids: readonly string[],
  read: (id: string) => Promise<RowSource | null>,
  mapping: RowMapping | undefined,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const source_id of ids) {
    const source = await read(source_id);
    outcomes.push({ source_id, ...(source ? lineOrError(source, mapping) : { error: 'Source not found' }) });
  }
  return outcomes;
}

function lineOrError(source: RowSource, mapping: RowMapping | undefined): { line: string } | { error: string } {
  try {
    const line = lineOf(rowOf(source, mapping));
    return line === null ? { error: tooLong } : { line };
  } catch (error) {
    if (error instanceof MappingError) return { error: error.message };
    throw error;
  }
}

function resultsOf(outcomes: readonly Outcome[], first: number): ImportResult[] {
  let line_number = first;
  return outcomes.map(({ source_id, error }) =>
    error === undefined ? { source_id, status: 'created', line_number: line_number++ } : { source_id, status: 'failed', error },
  );
}
