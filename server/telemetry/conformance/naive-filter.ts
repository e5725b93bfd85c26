/**
 * Straightforward implementation of docs/reference/filters.md#meaning that shares no code with the product: on filters in their JSON form and on
 * rows known to the tests.
 */
import { derivedTexts, type FilterScore, type FilterSpan, type FilterTrace } from './filter-population.ts';

export interface NaiveLeaf {
  field: string;
  operator: string;
  value?: string | number | (string | number)[];
}
export type NaiveFilter = (NaiveLeaf | { or: NaiveLeaf[] })[];

const membersOf = (entry: NaiveFilter[number]): NaiveLeaf[] => ('or' in entry ? entry.or : [entry]);

const negatives = ['notEquals', 'notContains', 'doesNotExist', 'notIn'];

interface Population {
  traces: FilterTrace[];
  scores: FilterScore[];
}

export function naiveSpan(filter: NaiveFilter, span: FilterSpan, { traces, scores }: Population): boolean {
  const trace = traces.find(({ id }) => id === span.trace_id) as FilterTrace;
  return filter.every((entry) =>
    membersOf(entry).some((leaf) => (leaf.field === 'environment' ? environmentHolds(leaf, trace) : spanHolds(leaf, span, scores))),
  );
}

export function naiveTrace(filter: NaiveFilter, trace: FilterTrace, scores: FilterScore[]): boolean {
  return filter.every((entry) => membersOf(entry).some((leaf) => traceHolds(leaf, trace, scores)));
}

function traceHolds(leaf: NaiveLeaf, trace: FilterTrace, scores: FilterScore[]): boolean {
  const sum = (count: (span: FilterSpan) => number) => trace.spans.reduce((total, span) => total + count(span), 0);
  const [root] = trace.spans;
  if (leaf.field === 'latency_ms' || leaf.field === 'duration') return numberHolds(leaf, root?.latency_ms ?? 0);
  if (leaf.field === 'cost')
    return numberHolds(
      leaf,
      sum((span) => span.cost),
    );
  if (leaf.field === 'prompt_tokens' || leaf.field === 'input_tokens')
    return numberHolds(
      leaf,
      sum((span) => span.prompt_tokens),
    );
  if (leaf.field === 'completion_tokens' || leaf.field === 'output_tokens')
    return numberHolds(
      leaf,
      sum((span) => span.completion_tokens),
    );
  if (leaf.field === 'status') return root?.status === leaf.value;
  if (leaf.field === 'environment') return environmentHolds(leaf, trace);
  if (leaf.field === 'name') return textHolds(leaf, root?.trace_name || root?.name || '');
  if (leaf.field === 'errors')
    return numberHolds(
      leaf,
      sum(({ status }) => (status === 'ERROR' ? 1 : 0)),
    );
  if (leaf.field === 'tokens')
    return numberHolds(
      leaf,
      sum((span) => span.prompt_tokens + span.completion_tokens),
    );
  if (leaf.field.startsWith('score__')) return [trace, ...trace.spans].some(({ id }) => scoreHolds(leaf, id, scores));
  // Negative: no span may satisfy the opposite, so every span must satisfy the negative itself.
  const holds = (span: FilterSpan) => spanHolds(leaf, span, scores);
  return negatives.includes(leaf.operator) ? trace.spans.every(holds) : trace.spans.some(holds);
}

/** Trace and spans have the environments that the spans name. */
function environmentHolds(leaf: NaiveLeaf, { spans }: FilterTrace): boolean {
  const named = spans.map(({ environment }) => environment).filter((name) => name !== '');
  return anyHolds(leaf, named);
}

function anyHolds(leaf: NaiveLeaf, texts: string[]): boolean {
  const values = texts.length === 0 ? [''] : texts;
  return negatives.includes(leaf.operator) ? values.every((text) => textHolds(leaf, text)) : values.some((text) => textHolds(leaf, text));
}

function wordsHold({ operator, value }: NaiveLeaf, texts: string[]): boolean {
  const word = String(value).toLowerCase();
  const escaped = JSON.stringify(word).slice(1, -1);
  const isThere = texts.map((text) => text.toLowerCase()).some((text) => text.indexOf(word) >= 0 || text.indexOf(escaped) >= 0);
  return isThere === (operator === 'contains');
}

const otherNames: Record<string, keyof FilterSpan> = {
  span_name: 'name',
  duration: 'latency_ms',
  input_tokens: 'prompt_tokens',
  output_tokens: 'completion_tokens',
};

function spanHolds(leaf: NaiveLeaf, span: FilterSpan, scores: FilterScore[]): boolean {
  const { field, operator, value } = leaf;
  const { tool, agent, tool_arguments, error, texts } = derivedTexts(span);
  if (field === 'text') return wordsHold(leaf, texts);
  if (field === 'error') return anyHolds(leaf, error);
  if (field === 'tool_arguments') return anyHolds(leaf, tool_arguments);
  if (field === 'tool') return textHolds(leaf, tool);
  if (field === 'agent') return textHolds(leaf, agent);
  if (field === 'service') return textHolds(leaf, 'test-service');
  if (field === 'errors') return numberHolds(leaf, span.status === 'ERROR' ? 1 : 0);
  if (field === 'tokens') return numberHolds(leaf, span.prompt_tokens + span.completion_tokens);
  if (field.startsWith('score__')) return scoreHolds(leaf, span.id, scores);
  if (field === 'status') return span.status === value;
  if (field === 'tags') {
    const wanted = (Array.isArray(value) ? value : [value]).map(String);
    const isMember = wanted.filter((tag) => span.tags.indexOf(tag) >= 0).length > 0;
    return operator === 'notEquals' || operator === 'notIn' ? !isMember : isMember;
  }
  if (field.startsWith('metadata.')) {
    const entry = Object.entries(span.metadata).find(([key]) => `metadata.${key}` === field);
    if (operator === 'exists') return entry !== undefined;
    if (operator === 'doesNotExist') return entry === undefined;
    return textHolds(leaf, entry === undefined ? '' : entry[1]);
  }
  const stored = span[otherNames[field] ?? (field as keyof FilterSpan)];
  return typeof stored === 'number' ? numberHolds(leaf, stored) : textHolds(leaf, stored as string);
}

function textHolds({ operator, value }: NaiveLeaf, text: string): boolean {
  const list = Array.isArray(value) ? value.map(String) : [];
  const part = String(value);
  switch (operator) {
    case 'equals':
      return text === part;
    case 'notEquals':
      return text !== part;
    case 'contains':
      return text.indexOf(part) >= 0;
    case 'notContains':
      return text.indexOf(part) < 0;
    case 'startsWith':
      return text.slice(0, part.length) === part;
    case 'endsWith':
      return text.length >= part.length && text.slice(text.length - part.length) === part;
    case 'in':
      return list.some((item) => item === text);
    case 'notIn':
      return list.every((item) => item !== text);
    default:
      throw new Error(`No text operator ${operator}`);
  }
}

function numberHolds({ operator, value }: NaiveLeaf, number: number): boolean {
  const list = (Array.isArray(value) ? value : [value]).map(Number);
  const [first, second] = list as [number, number];
  switch (operator) {
    case 'equals':
      return number === first;
    case 'notEquals':
      return number !== first;
    case 'gt':
      return number > first;
    case 'gte':
      return number >= first;
    case 'lt':
      return number < first;
    case 'lte':
      return number <= first;
    case 'in':
      return list.indexOf(number) >= 0;
    case 'notIn':
      return list.indexOf(number) < 0;
    case 'between':
      return first <= number && number <= second;
    default:
      throw new Error(`No number operator ${operator}`);
  }
}

/** Tests the newest score of that name on the resource, or the last arrival of the same time. Without a score it is false, whatever the operator. */
function scoreHolds(leaf: NaiveLeaf, id: string, scores: FilterScore[]): boolean {
  let newest: FilterScore | null = null;
  for (const score of scores) {
    if (score.resource_id !== id || `score__${score.name}` !== leaf.field) continue;
    if (newest === null || score.atMs >= newest.atMs) newest = score;
  }
  return newest !== null && numberHolds(leaf, newest.score);
}
