/** What does not leave at all: inputs and outputs, wherever the normaliser would find them, and attributes by their keys. */
import type { RedactionPolicy } from '../../shared/contract/operations/redaction.ts';
import { CLAUDE_CODE_ARGUMENTS, contentKeys, contentOfEvent, droppedMark } from '../ingest/normalise/index.ts';
import type { RawAttribute, RawValue } from '../ingest/otlp/raw-span.ts';

/** Copies that nobody here reads, beside the attribute that is read: exporters write an answer down more than once. */
const copies = {
  input: [
    'llm.prompt_template.template',
    'traceloop.prompt.template',
    'ai.prompt.format',
    'gen_ai.tool.description',
    'ai.request.body',
    'mastra.metadata.body*',
    // Coding agents take a prompt on their command line.
    'process.command_args',
    'process.command_line',
  ],
  output: ['mastra.metadata.body*', 'ai.response.providerMetadata', 'ai.result.*', 'ai.response.body', 'ai.stream.*'],
} as const;

/** Texts of a content event that say of whom it is, not what. */
const kept = new Set([
  'event.name',
  'role',
  'finish_reason',
  'gen_ai.system',
  'gen_ai.provider.name',
  'gen_ai.operation.name',
  droppedMark,
]);

export class Dropping {
  /** False: everything leaves. */
  readonly isAny: boolean;
  readonly #drop: RedactionPolicy['drop'];
  readonly #asked: KeyPatterns;
  readonly #content: KeyPatterns;
  readonly #besideToolName: ReadonlySet<string>;

  constructor(drop: RedactionPolicy['drop']) {
    this.#drop = drop;
    this.isAny = drop.inputs || drop.outputs || drop.keys.length > 0;
    this.#asked = new KeyPatterns(drop.keys);
    const content = (side: 'input' | 'output', is: boolean) => (is ? [...contentKeys[side], ...copies[side]] : []);
    this.#content = new KeyPatterns([...content('input', drop.inputs), ...content('output', drop.outputs)]);
    this.#besideToolName = new Set(drop.inputs ? CLAUDE_CODE_ARGUMENTS : []);
  }

  /** Says of each attribute of a span, its resource and its scope whether it stays here. */
  ofSpan(attributes: readonly RawAttribute[]): (key: string) => boolean {
    const hasTool = this.#besideToolName.size > 0 && attributes.some(([key]) => key === 'tool_name');
    return (key) => this.#isContent(key) || (hasTool && this.#besideToolName.has(key)) || this.byKey(key);
  }

  /** Says the same of the attributes of an event or a log record. */
  ofEvent(name: string, attributes: readonly RawAttribute[]): (key: string, value: RawValue) => boolean {
    const contents = this.#eventContents(name, attributes);
    return (key, value) =>
      this.#isContent(key) ||
      this.byKey(key) ||
      contents.some(({ keys }) => (keys === null ? !kept.has(key) && isWorded(value) : keys.includes(key)));
  }

  /** Whether the body of a log record stays here. */
  body(name: string, attributes: readonly RawAttribute[]): boolean {
    return this.#eventContents(name, attributes).length > 0;
  }

  /** Entries of maps go by the keys that somebody asked for, and by nothing else. */
  byKey(key: string): boolean {
    return key !== droppedMark && this.#asked.has(key);
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

/** Numbers and yes or no say nothing of a text. */
const isWorded = (value: RawValue): boolean => typeof value === 'string' || (typeof value === 'object' && value !== null);

/** Bound of the memory of matched keys: an honest application has few, a hostile one may send any number. */
const rememberedMax = 4096;

/** Matches attribute keys against exact keys and patterns, in which `*` stands for anything. */
export class KeyPatterns {
  readonly #exact: ReadonlySet<string>;
  readonly #patterns: readonly string[][];
  readonly #known = new Map<string, boolean>();

  constructor(patterns: readonly string[]) {
    this.#exact = new Set(patterns.filter((pattern) => !pattern.includes('*')));
    this.#patterns = patterns.filter((pattern) => pattern.includes('*')).map((pattern) => pattern.split('*'));
  }

  has(key: string): boolean {
    if (this.#exact.has(key)) return true;
    if (this.#patterns.length === 0) return false;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const has = this.#patterns.some((parts) => isLike(key, parts));
    if (this.#known.size >= rememberedMax) this.#known.clear();
    this.#known.set(key, has);
    return has;
  }
}

/** Each part at the first place where it can be: what is found so leaves the most for the parts behind it. */
function isLike(key: string, parts: readonly string[]): boolean {
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
