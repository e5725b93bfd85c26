/** Traces whose every text and id says whether they will be deleted: spans, log records, media, scores. A system prompt is in all of them. */
import { hash } from 'node:crypto';
import { bytesLike } from '../../server/fixtures/media-bytes.ts';
import { type AttributeInput, aChat, aRequest, aSpan, attributeList } from '../../shared/fixtures/otlp.ts';
import { Prose } from '../traffic/prose.ts';
import { Random } from '../traffic/random.ts';

export const spansPerTrace = 10;
/** Sessions and users have this many traces. */
const groupSize = 5;
/** Every so many traces there is an image, a failure, a log record. */
const imageEvery = 10;
const failureEvery = 4;
const logEvery = 8;

/** Words and first bytes of ids of traces that stay, and of those that are deleted. */
export const marks = {
  kept: { word: 'sparrow', idBytes: 'c0ffee5ba6e1' },
  gone: { word: 'zebrafinch', idBytes: 'de1e7ed0babe' },
} as const;

export type Fate = keyof typeof marks;

export interface MarkedTrace {
  fate: Fate;
  at: number;
  traceId: string;
  /** Ids of its spans, the root first. */
  spanIds: string[];
  /** Its word, in all of its own texts. */
  word: string;
  /** Digest of its image, '' without one. */
  image: string;
  resourceSpans: unknown[];
  /** OTLP log records. */
  logs: object[];
  scores: object[];
}

const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, '0').slice(-digits);

export class MarkedTraces {
  readonly #random = new Random('marked traces');
  readonly #prose = new Prose();
  readonly #system: string;
  readonly #startMs: number;

  /** @param startMs when the first trace starts */
  constructor(startMs: number) {
    this.#startMs = startMs;
    this.#system = this.#prose.text(this.#random, 6000);
  }

  /** The same trace for the same arguments only if called in the same order. */
  make(fate: Fate, at: number): MarkedTrace {
    const { word: mark, idBytes } = marks[fate];
    const word = `${mark}${at}`;
    const traceId = idBytes + hex(at, 20);
    const spanIds = Array.from({ length: spansPerTrace }, (_, index) => idBytes + hex(at * 16 + index, 4));
    const image = at % imageEvery === 0 ? bytesLike('image/png', 2000, fate === 'kept' ? at : -at - 1) : null;
    const spans = spanIds.map((spanId, index) => this.#span({ mark, word, at, traceId, spanId, spanIds, index, image }));
    const { resourceSpans } = aRequest(spans, { service: `service ${mark}`, scope: `scope ${mark}` }) as { resourceSpans: unknown[] };
    return {
      ...{ fate, at, traceId, spanIds, word, resourceSpans },
      image: image ? hash('sha256', image) : '',
      logs: at % logEvery === 0 ? [this.#log(word, traceId, spanIds[1] as string, at)] : [],
      scores: [traceId, spanIds[2] as string].map((resource_id) => ({
        ...{ resource_id, name: `quality ${mark}`, score: at % 2, label: `label ${mark}`, reason: `reason ${word}` },
      })),
    };
  }

  #span({ mark, word, at, traceId, spanId, spanIds, index, image }: SpanParts): object {
    const text = (length: number) => `${word} ${this.#prose.text(this.#random, length)}`;
    const group = Math.floor(at / groupSize);
    const startMs = this.#startMs + at * 1000;
    const isRoot = index === 0;
    const common = { traceId, spanId, ...(isRoot ? {} : { parentSpanId: spanIds[0] as string }), startMs: startMs + index * 10 };
    const attributes: Record<string, AttributeInput> = {
      'user.id': `user ${mark} ${group}`,
      'session.id': `session ${mark} ${group}`,
      'agentmark.session_name': `talk ${mark} ${group}`,
      'agentmark.tags': JSON.stringify([mark, `tag ${mark} ${at % 7}`]),
      'deployment.environment.name': `place ${mark}`,
      [`agentmark.metadata.key_${mark}`]: `value ${word}`,
    };
    if (isRoot)
      return aSpan({
        ...common,
        name: `run ${mark}`,
        durationMs: 900,
        attributes: { ...attributes, 'gen_ai.operation.name': 'invoke_agent' },
      });
    if (index % 2 === 1) {
      const content =
        image && index === 1 ? [{ type: 'image_url', image_url: { url: `data:image/png;base64,${image.toString('base64')}` } }] : [];
      const input = [
        { role: 'system', content: this.#system },
        { role: 'user', content: [{ type: 'text', text: text(at % 5 === 0 ? 9000 : 700) }, ...content] },
      ];
      return aChat({
        ...common,
        ...{ name: `chat ${mark}`, model: `model ${mark}`, reply: text(500), inputTokens: 100 + at, durationMs: 80 },
        attributes: { ...attributes, 'gen_ai.prompt.name': `prompt ${mark}`, 'gen_ai.input.messages': JSON.stringify(input) },
      });
    }
    const failed = index === 4 && at % failureEvery === 0;
    const tool = { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': `tool ${mark}`, 'gen_ai.tool.call.arguments': text(200) };
    return aSpan({
      ...common,
      ...{ name: `tool ${mark}`, durationMs: 40, status: failed ? 'ERROR' : 'OK', attributes: { ...attributes, ...tool } },
      ...(failed && { statusMessage: `the ${mark} is away` }),
      events: failed ? [{ name: 'exception', attributes: { 'exception.type': `Lost${mark}`, 'exception.message': text(100) } }] : [],
    });
  }

  #log(word: string, traceId: string, spanId: string, at: number): object {
    const time = String(BigInt(this.#startMs + at * 1000) * 1_000_000n);
    const body = { stringValue: `log ${word} ${this.#prose.text(this.#random, 300)}` };
    return { traceId, spanId, timeUnixNano: time, eventName: 'note', body, attributes: attributeList({ note: word }) };
  }
}

interface SpanParts {
  mark: string;
  word: string;
  at: number;
  traceId: string;
  spanId: string;
  spanIds: readonly string[];
  index: number;
  image: Buffer | null;
}
