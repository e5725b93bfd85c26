/** Selects the attributes that are not sent: inputs and outputs, wherever the normaliser would find them, and attributes by key. */
import type { RedactionPolicy } from '../../shared/contract/operations/redaction.ts';
import { CLAUDE_CODE_ARGUMENTS, contentKeys, contentOfEvent, droppedMark } from '../ingest/normalise/index.ts';
import type { RawAttribute, RawValue } from '../ingest/otlp/raw-span.ts';

/** Copies of inputs and outputs that the normaliser does not read: exporters write the same content more than once. */
const contentCopies = {
  input: [
    'llm.prompt_template.template',
    'traceloop.prompt.template',
    'ai.prompt.format',
    'gen_ai.tool.description',
    'ai.request.body',
    'mastra.metadata.body*',
    // Coding agents accept a prompt on their command line.
    'process.command_args',
    'process.command_line',
  ],
  output: ['mastra.metadata.body*', 'ai.response.providerMetadata', 'ai.result.*', 'ai.response.body', 'ai.stream.*'],
} as const;

/** Attributes of a content event that describe it and are no content. */
const metadataKeys = new Set([
  'event.name',
  'role',
  'finish_reason',
  'gen_ai.system',
  'gen_ai.provider.name',
  'gen_ai.operation.name',
  droppedMark,
]);

export class Dropping {
  /** False: everything is sent. */
  readonly isAny: boolean;
  readonly #drop: RedactionPolicy['drop'];
  readonly #keys: KeyPatterns;
  readonly #content: KeyPatterns;
  readonly #besideToolName: ReadonlySet<string>;

  constructor(drop: RedactionPolicy['drop']) {
    this.#drop = drop;
    this.isAny = drop.inputs || drop.outputs || drop.keys.length > 0;
    this.#keys = new KeyPatterns(drop.keys);
    const content = (side: 'input' | 'output', isDropped: boolean) => (isDropped ? [...contentKeys[side], ...contentCopies[side]] : []);
    this.#content = new KeyPatterns([...content('input', drop.inputs), ...content('output', drop.outputs)]);
    this.#besideToolName = new Set(drop.inputs ? CLAUDE_CODE_ARGUMENTS : []);
  }

  /** Predicate for the attributes of a span, its resource and its scope: whether one is dropped. */
  ofSpan(attributes: readonly RawAttribute[]): (key: string) => boolean {
    const hasTool = this.#besideToolName.size > 0 && attributes.some(([key]) => key === 'tool_name');
    return (key) => this.#isContent(key) || (hasTool && this.#besideToolName.has(key)) || this.byKey(key);
  }

  /** Predicate for the attributes of an event or a log record. */
  ofEvent(name: string, attributes: readonly RawAttribute[]): (key: string, value: RawValue) => boolean {
    const contents = this.#eventContents(name, attributes);
    return (key, value) =>
      this.#isContent(key) ||
      this.byKey(key) ||
      contents.some(({ keys }) => (keys === null ? !metadataKeys.has(key) && hasText(value) : keys.includes(key)));
  }

  /** Whether the body of a log record is dropped. */
  body(name: string, attributes: readonly RawAttribute[]): boolean {
    return this.#eventContents(name, attributes).length > 0;
  }

  /** Entries of maps are dropped only by the keys of the policy. */
  byKey(key: string): boolean {
    return key !== droppedMark && this.#keys.has(key);
  }

  #isContent(key: string): boolean {
    return key !== droppedMark && this.#content.has(key);
  }

  #eventContents(name: string, attributes: readonly RawAttribute[]) {
    const { inputs, outputs } = this.#drop;
    if (!inputs && !outputs) return [];
    return contentOfEvent(name, attributes).filter(({ sides }) => sides.some((side) => (side === 'input' ? inputs : outputs)));
  }
}

/** Numbers and booleans contain no text. */
const hasText = (value: RawValue): boolean => typeof value === 'string' || (typeof value === 'object' && value !== null);

/** An ordinary application has few keys; a hostile one may send any number. */
const cachedMax = 4096;

/** Matches attribute keys against exact keys and patterns, in which `*` matches any text. */
export class KeyPatterns {
  readonly #exact: ReadonlySet<string>;
  readonly #patterns: readonly string[][];
  readonly #cache = new Map<string, boolean>();

  constructor(patterns: readonly string[]) {
    this.#exact = new Set(patterns.filter((pattern) => !pattern.includes('*')));
    this.#patterns = patterns.filter((pattern) => pattern.includes('*')).map((pattern) => pattern.split('*'));
  }

  has(key: string): boolean {
    if (this.#exact.has(key)) return true;
    if (this.#patterns.length === 0) return false;
    const cached = this.#cache.get(key);
    if (cached !== undefined) return cached;
    const isMatch = this.#patterns.some((parts) => matches(key, parts));
    if (this.#cache.size >= cachedMax) this.#cache.clear();
    this.#cache.set(key, isMatch);
    return isMatch;
  }
}

/** Matches each part at its first possible position, which leaves the most text for the parts after it. */
function matches(key: string, parts: readonly string[]): boolean {
  const [head = '', ...rest] = parts;
  const tail = rest.pop() ?? '';
  if (!key.startsWith(head) || !key.endsWith(tail) || key.length < head.length + tail.length) return false;
  let at = head.length;
  for (const part of rest) {
    const found = key.indexOf(part, at);
    if (found === -1 || found + part.length > key.length - tail.length) return false;
    at = found + part.length;
  }
  return true;
}
