/** Which part of a trace or span becomes which part of a dataset row (docs/reference/project-files.md#rows-from-traces). */
import type { DatasetRow, RowMapping } from './contract/projects/datasets.ts';

/** A trace or span as paths see it. */
export interface RowSource {
  props: unknown;
  [field: string]: unknown;
}

/** Why a source cannot become a row. The message is shown to the user. */
export class MappingError extends Error {}

type Json = DatasetRow['input'];

/** @throws MappingError */
export function rowOf(source: RowSource, mapping: RowMapping = {}): Required<DatasetRow> {
  const input = mapping.input === undefined ? defaultInput(source) : valueAt(source, mapping.input);
  if (input === undefined) throw new MappingError(`Nothing at ${mapping.input ?? '$.input'}`);
  const metadata: [string, Json][] = [];
  for (const [key, path] of Object.entries(mapping.metadata ?? {})) {
    const value = valueAt(source, path);
    if (value !== undefined) metadata.push([key, value as Json]);
  }
  return {
    input: input as Json,
    expected_output: (valueAt(source, mapping.expected_output ?? '$.output') ?? null) as Json,
    metadata: Object.fromEntries(metadata),
  };
}

function defaultInput({ props, input }: RowSource): unknown {
  const isUseful = typeof props === 'object' && props !== null && !Array.isArray(props) && Object.keys(props).length > 0;
  return isUseful ? props : input;
}

const pathForm = /^\$(?:\.[^.[\]]+|\[\d{1,9}\])*$/;

/**
 * The value at `$`, `$.a.b` or `$.spans[0].name`; undefined when there is none. Only own properties are read.
 * @throws MappingError when the path is not one
 */
export function valueAt(source: unknown, path: string): unknown {
  if (!pathForm.test(path)) throw new MappingError(`${path} is not a path such as $.output or $.spans[0].name`);
  let value = source;
  for (const step of path.match(/[^.[\]]+/g)?.slice(1) ?? []) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
    value = (value as Record<string, unknown>)[step];
  }
  return value;
}
