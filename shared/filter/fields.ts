/**
 * What can be filtered on, with which operators, within which limits (docs/reference/filters.md#fields). The only table: both parsers
 * use it, and GET /v1/filter-schema is built from it. Imports nothing, so that threads without zod can read it.
 */
export const resources = ['traces', 'spans', 'scores'] as const;
export type Resource = (typeof resources)[number];

export const filterLimits = {
  predicates: 20,
  listValues: 50,
  /** In UTF-16 code units, after unescaping. */
  valueLength: 500,
  fieldLength: 128,
  /** Large enough for twenty predicates of maximum length, too small to keep a parser busy. */
  textLength: 32_768,
  /** Of parentheses. */
  depth: 20,
} as const;

export const operators = [
  'equals',
  'notEquals',
  'contains',
  'notContains',
  'startsWith',
  'endsWith',
  'gt',
  'gte',
  'lt',
  'lte',
  'exists',
  'doesNotExist',
  'in',
  'notIn',
  'between',
] as const;
export type Operator = (typeof operators)[number];

const textual = ['equals', 'notEquals', 'contains', 'notContains', 'startsWith', 'endsWith'] as const;
const comparing = ['equals', 'notEquals', 'gt', 'gte', 'lt', 'lte'] as const;
const listing = ['in', 'notIn'] as const;

/** Operators in published order. */
export const kindRules = {
  string: [...textual, ...listing],
  numeric: [...comparing, ...listing, 'between'],
  status: ['equals'],
  tags: ['equals', 'notEquals', 'contains', ...listing],
  metadata: [...textual, 'exists', 'doesNotExist', ...listing],
  score: [...comparing, 'between'],
  datetime: ['gt', 'gte', 'lt', 'lte', 'between'],
  words: ['contains', 'notContains'],
} as const satisfies Record<string, readonly Operator[]>;
export type Kind = keyof typeof kindRules;

/** In published order. */
const spanFields = {
  model: 'string',
  user_id: 'string',
  session_id: 'string',
  trace_id: 'string',
  prompt_name: 'string',
  input: 'string',
  output: 'string',
  props: 'string',
  semantic_kind: 'string',
  latency_ms: 'numeric',
  cost: 'numeric',
  prompt_tokens: 'numeric',
  completion_tokens: 'numeric',
  status: 'status',
  tags: 'tags',
  text: 'words',
  name: 'string',
  span_name: 'string',
  service: 'string',
  environment: 'string',
  tool: 'string',
  agent: 'string',
  tool_arguments: 'string',
  error: 'string',
  errors: 'numeric',
  tokens: 'numeric',
  ttft: 'numeric',
} as const satisfies Record<string, Kind>;

const traceFields = { ...spanFields, spans: 'numeric', errors_inside: 'numeric' } as const;

/** Other names of fields. A parsed filter has the field's own name. */
const aliases = { duration: 'latency_ms', input_tokens: 'prompt_tokens', output_tokens: 'completion_tokens' } as const;
const aliasKinds = { duration: 'numeric', input_tokens: 'numeric', output_tokens: 'numeric' } as const satisfies Record<
  keyof typeof aliases,
  Kind
>;

const scoreFields = {
  name: 'string',
  source: 'string',
  user_id: 'string',
  resource_id: 'string',
  label: 'string',
  score: 'numeric',
  created_at: 'datetime',
} as const satisfies Record<string, Kind>;

type FieldsOf<Table, K> = { [F in keyof Table]: Table[F] extends K ? F : never }[keyof Table];
/** Fields of spans and traces by kind. */
export type StringField = FieldsOf<typeof spanFields, 'string'>;
export type SpanNumericField = FieldsOf<typeof spanFields, 'numeric'>;
export type NumericField = FieldsOf<typeof traceFields, 'numeric'>;
/** Fields with several values; a test holds if it holds for any of them. */
export type ListField = 'environment' | 'error' | 'tool_arguments';
/** Texts that are not in rows, but in what spans were sent with. */
export const contentFields = ['input', 'output', 'props', 'error', 'tool_arguments'] as const satisfies StringField[];
export type ContentField = (typeof contentFields)[number];
/** Their values are milliseconds, and may be written with a unit. */
export const durationFields: readonly string[] = ['latency_ms', 'ttft'] satisfies NumericField[];
/** Fields of scores by kind. */
export type ScoreTextField = FieldsOf<typeof scoreFields, 'string'>;

export const staticFields: Record<Resource, Readonly<Record<string, Kind>>> = {
  traces: { ...traceFields, ...aliasKinds },
  spans: { ...spanFields, ...aliasKinds },
  scores: scoreFields,
};

/** A family of fields that differ by a key which the user chooses. */
export interface DynamicField {
  prefix: string;
  /** What stands for the key in descriptions. */
  placeholder: string;
  kind: 'metadata' | 'score';
  /** A key starts with a letter or `_` and continues with letters, digits, `_` and this character. */
  extraKeyCharacter: '' | '-';
  keyLength: number;
}

const families: readonly DynamicField[] = [
  { prefix: 'metadata.', placeholder: '<key>', kind: 'metadata', extraKeyCharacter: '', keyLength: 64 },
  { prefix: 'score__', placeholder: '<name>', kind: 'score', extraKeyCharacter: '-', keyLength: 64 },
];

export const dynamicFields: Record<Resource, readonly DynamicField[]> = { traces: families, spans: families, scores: [] };

/** The rule of keys as a regular expression, for clients. Nothing here runs it. */
export const keyPattern = ({ extraKeyCharacter, keyLength }: DynamicField): string =>
  `^[a-zA-Z_][a-zA-Z0-9_${extraKeyCharacter}]{0,${keyLength - 1}}$`;

export const isLetter = (char: string): boolean => (char >= 'a' && char <= 'z') || (char >= 'A' && char <= 'Z') || char === '_';
export const isDigit = (char: string): boolean => char >= '0' && char <= '9';

export interface KnownField {
  kind: Kind;
  /** Its own name, if it was given by another one. */
  field: string;
  /** The part after the prefix of a dynamic field; '' for other fields. */
  key: string;
}

/** What a name means for a resource; null when there is no such field. */
export function findField(resource: Resource, name: string): KnownField | null {
  const table = staticFields[resource];
  const kind = Object.hasOwn(table, name) ? table[name] : undefined;
  if (kind !== undefined) return { kind, field: Object.hasOwn(aliases, name) ? aliases[name as keyof typeof aliases] : name, key: '' };
  const family = dynamicFields[resource].find(({ prefix }) => name.startsWith(prefix));
  const key = family ? name.slice(family.prefix.length) : '';
  return family && isKey(key, family) ? { kind: family.kind, field: name, key } : null;
}

function isKey(key: string, { extraKeyCharacter, keyLength }: DynamicField): boolean {
  if (key.length > keyLength || !isLetter(key.charAt(0))) return false;
  for (const char of key) if (!isLetter(char) && !isDigit(char) && char !== extraKeyCharacter) return false;
  return true;
}
