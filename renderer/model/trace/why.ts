/** "Why this value": every normalised field, with its source attribute. */
import type { MatchedPrice, RawSpanReply } from '../../../shared/contract/tracing/raw-span.ts';
import { cost, count } from '../text/format.ts';

export interface Reason {
  field: string;
  value: string;
  /** An attribute key, an event, or a rule as text. */
  source: string;
  /** Whether the source is an attribute that the span carries. */
  isAttribute: boolean;
}

const order = [
  'name',
  'semantic_kind',
  'type',
  'status',
  'model',
  'request_model',
  'provider',
  'finish_reason',
  'input_tokens',
  'output_tokens',
  'total_tokens',
  'cache_read_tokens',
  'cache_write_tokens',
  'reasoning_tokens',
  'ttft_ms',
  'reported_cost',
  'input',
  'output',
];

/** Too long for a table. */
const shownElsewhere = ['input', 'output', 'output_object', 'tool_definitions', 'settings'];

const rankOf = (field: string) => {
  const rank = order.indexOf(field);
  return rank === -1 ? order.length : rank;
};

function keysOf({ span, resource }: RawSpanReply): Set<string> {
  const lists = [span.attributes, resource.attributes].flatMap((list) => (Array.isArray(list) ? (list as { key?: unknown }[]) : []));
  return new Set(lists.map(({ key }) => String(key)));
}

/** Kind, usage and content first, then the others by name. */
export function reasons(raw: RawSpanReply): Reason[] {
  const keys = keysOf(raw);
  return Object.entries(raw.provenance)
    .map(([field, source]) => {
      const value = Object.hasOwn(raw.values, field) ? raw.values[field] : undefined;
      if (shownElsewhere.includes(field)) return { field, value: 'see Messages', source, isAttribute: keys.has(source) };
      return { field, value: typeof value === 'number' ? count(value) : String(value ?? ''), source, isAttribute: keys.has(source) };
    })
    .sort((a, b) => rankOf(a.field) - rankOf(b.field) || (a.field < b.field ? -1 : 1));
}

export interface CostLine {
  what: string;
  tokens: number;
  /** US dollars per million tokens. */
  rate: number;
  cost: string;
}

/** How the cost follows from tokens and price: the parts of input and output, each at its rate (server/ingest/cost/cost-of.ts). */
export function costLines(values: RawSpanReply['values'], price: MatchedPrice): CostLine[] {
  const tokens = (field: string) => Math.max(0, Number(values[field] ?? 0) || 0);
  const input = tokens('input_tokens');
  const read = Math.min(tokens('cache_read_tokens'), input);
  const write = Math.min(tokens('cache_write_tokens'), input - read);
  const output = tokens('output_tokens');
  const reasoning = price.reasoning === undefined ? 0 : Math.min(tokens('reasoning_tokens'), output);
  const lines: [string, number, number][] = [
    ['input', input - read - write, price.input],
    ['input from cache', read, price.cache_read ?? price.input],
    ['input to cache', write, price.cache_write ?? price.input],
    ['output', output - reasoning, price.output],
    ['reasoning', reasoning, price.reasoning ?? 0],
  ];
  return lines.flatMap(([what, number, rate]) => (number > 0 ? [{ what, tokens: number, rate, cost: cost((number * rate) / 1e6) }] : []));
}
