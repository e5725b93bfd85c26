/**
 * Spans as the simplest possible rows, one column for each field and the whole payload in the row: the rows of the raw insert.
 * They are the baseline, not the product: nothing is normalised, attributes are only picked.
 */

export const plainColumns = [
  'trace_id TEXT',
  'span_id TEXT',
  'parent_id TEXT',
  'name TEXT',
  'kind TEXT',
  'status INTEGER',
  'start_us INTEGER',
  'dur_us INTEGER',
  'model TEXT',
  'in_tok INTEGER',
  'out_tok INTEGER',
  'cost REAL',
  'session_id TEXT',
  'user_id TEXT',
  'prompt_name TEXT',
  'service TEXT',
  'status_message TEXT',
  'metadata TEXT',
  'tags TEXT',
  'input TEXT',
  'output TEXT',
  'attrs TEXT',
] as const;

export type PlainRow = (string | number | null)[];

interface OtlpValue {
  stringValue?: string;
  intValue?: string;
  doubleValue?: number;
  boolValue?: boolean;
}

interface OtlpSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: { key: string; value: OtlpValue }[];
  status?: { code?: number; message?: string };
}

export interface OtlpRequest {
  resourceSpans: {
    resource: { attributes: { key: string; value: OtlpValue }[] };
    scopeSpans: { spans: OtlpSpan[] }[];
  }[];
}

type Plain = string | number | boolean | null;

const plain = ({ stringValue, intValue, doubleValue, boolValue }: OtlpValue): Plain =>
  stringValue ?? (intValue === undefined ? (doubleValue ?? boolValue ?? null) : Number(intValue));

const micros = (ns: string): number => Number(ns.slice(0, -3));

/** The column of each attribute. */
const columnOf: Record<string, string> = {
  'gen_ai.request.model': 'model',
  'gen_ai.response.model': 'model',
  'gen_ai.usage.input_tokens': 'in_tok',
  'gen_ai.usage.output_tokens': 'out_tok',
  'agentmark.usage.cost_usd': 'cost',
  'agentmark.session_id': 'session_id',
  'agentmark.user_id': 'user_id',
  'agentmark.prompt_name': 'prompt_name',
  'agentmark.span.kind': 'kind',
  'agentmark.tags': 'tags',
  'gen_ai.request.input': 'input',
  'gen_ai.tool.input': 'input',
  'agentmark.input': 'input',
  'gen_ai.response.output': 'output',
  'gen_ai.tool.output': 'output',
  'agentmark.output': 'output',
};

const metadataPrefix = 'agentmark.metadata.';

export function plainRows({ resourceSpans }: OtlpRequest): PlainRow[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const service = resource.attributes.find(({ key }) => key === 'service.name');
    return scopeSpans.flatMap(({ spans }) => spans.map((span) => rowOf(span, service ? plain(service.value) : null)));
  });
}

function rowOf(span: OtlpSpan, service: Plain): PlainRow {
  const own: Record<string, Plain> = {};
  const metadata: Record<string, Plain> = {};
  const rest: Record<string, Plain> = {};
  for (const { key, value } of span.attributes) {
    const column = columnOf[key];
    if (column) own[column] = plain(value);
    else if (key.startsWith(metadataPrefix)) metadata[key.slice(metadataPrefix.length)] = plain(value);
    else rest[key] = plain(value);
  }
  const start = micros(span.startTimeUnixNano);
  const row: Record<string, Plain> = {
    ...own,
    trace_id: span.traceId,
    span_id: span.spanId,
    parent_id: span.parentSpanId ?? null,
    name: span.name,
    kind: own['kind'] ?? 'function',
    status: span.status?.code ?? 0,
    start_us: start,
    dur_us: micros(span.endTimeUnixNano) - start,
    service,
    status_message: span.status?.message ?? null,
    metadata: Object.keys(metadata).length > 0 ? JSON.stringify(metadata) : null,
    attrs: JSON.stringify(rest),
  };
  return plainColumns.map((column) => (row[column.split(' ')[0] as string] ?? null) as string | number | null);
}
