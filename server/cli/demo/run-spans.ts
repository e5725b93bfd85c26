/** The spans of one run of an agent, as an SDK with the GenAI conventions sends them. */
import { createHash } from 'node:crypto';
import { type Attributes, attributeList, nano } from '../otlp-values.ts';
import { answerMessage, callsMessage, isAgentCall, type Message, resultsMessage, resultText, userMessage } from './messages.ts';
import { callFigures, fractionOf, refusedCall } from './model-call.ts';
import type { Agent, Failure, Step, ToolCall, Turn } from './story.ts';
import { toolDefinitions } from './tool-definitions.ts';

interface SpanDraft {
  spanId: string;
  parentId: string | null;
  name: string;
  kind: 'internal' | 'client';
  fromMs: number;
  toMs: number;
  failed?: Failure | undefined;
  attributes: Attributes;
}

/** A run below a span, or the root of its trace. */
export interface AgentRun {
  agent: Agent;
  turn: Turn;
  /** What was said before in the session; it is sent along with every call. */
  history: readonly Message[];
  parentId: string | null;
  atMs: number;
  /** Of the span, instead of `invoke_agent NAME`. */
  name?: string | undefined;
}

export interface RunEnd {
  endMs: number;
  /** All that was said, with the history. */
  messages: Message[];
}

const kinds = { internal: 1, client: 3 } as const;

/** Between two spans of a run: the time that the agent itself takes. */
const gapMs = 14;

/** Hexadecimal, and always the same for the same text. */
export const idOf = (text: string, length: 16 | 32): string => createHash('sha256').update(text).digest('hex').slice(0, length);

export class TraceSpans {
  readonly traceId: string;
  /** OTLP/JSON. */
  readonly spans: object[] = [];
  readonly #key: string;
  readonly #shared: Attributes;
  #ids = 0;

  /**
   * @param key its figures and the ids in it are made from it
   * @param shared attributes of all its spans
   */
  constructor(traceId: string, key: string, shared: Attributes) {
    this.traceId = traceId;
    this.#key = key;
    this.#shared = shared;
  }

  newId(): string {
    this.#ids += 1;
    return idOf(`${this.#key} ${this.#ids}`, 16);
  }

  add({ spanId, parentId, name, kind, fromMs, toMs, failed, attributes }: SpanDraft): void {
    const exception = failed && { 'exception.type': failed.type, 'exception.message': failed.message };
    this.spans.push({
      traceId: this.traceId,
      spanId,
      ...(parentId === null ? {} : { parentSpanId: parentId }),
      name,
      kind: kinds[kind],
      startTimeUnixNano: nano(fromMs),
      endTimeUnixNano: nano(toMs),
      attributes: attributeList({ ...this.#shared, ...attributes, 'error.type': failed?.type }),
      events: exception ? [{ name: 'exception', timeUnixNano: nano(toMs), attributes: attributeList(exception) }] : [],
      status: failed ? { code: 2, message: failed.message } : { code: 1 },
    });
  }

  /** Adds a run with all that it does. */
  addRun({ agent, turn, history, parentId, atMs, name }: AgentRun): RunEnd {
    const spanId = this.newId();
    const messages = [...history, userMessage(turn.ask)];
    const calls = new ModelCalls(this, agent, spanId);
    let atNow = atMs + gapMs;
    for (const steps of turn.rounds) {
      const ids = steps.map(() => `call_${this.newId().slice(0, 10)}`);
      const request = callsMessage(steps, ids);
      atNow = calls.add(messages, request, atNow);
      atNow = Math.max(...steps.map((step, index) => this.#addStep(step, { spanId, callId: ids[index] ?? '', atMs: atNow + index * 2 })));
      messages.push(request, resultsMessage(steps, ids));
    }
    const answer = answerMessage(turn.answer);
    atNow = turn.failed ? calls.addRefused(messages, turn.failed, atNow) : calls.add(messages, answer, atNow);
    const inputMessages = JSON.stringify([...history, userMessage(turn.ask)]);
    this.add({
      ...{ spanId, parentId, kind: 'internal', fromMs: atMs, toMs: atNow, failed: turn.failed },
      name: name ?? `invoke_agent ${agent.name}`,
      attributes: {
        'gen_ai.operation.name': 'invoke_agent',
        'gen_ai.agent.name': agent.name,
        'gen_ai.input.messages': inputMessages,
        'gen_ai.output.messages': turn.failed ? null : JSON.stringify([answer]),
      },
    });
    return { endMs: atNow, messages: turn.failed ? messages : [...messages, answer] };
  }

  /** @returns when the run goes on */
  #addStep(step: Step, { spanId, callId, atMs }: { spanId: string; callId: string; atMs: number }): number {
    if (isAgentCall(step)) return this.addRun({ ...step, history: [], parentId: spanId, atMs }).endMs + gapMs;
    const toMs = atMs + Math.round(step.ms * (step.failed ? 1 : 0.85 + 0.3 * fractionOf(callId)));
    const attributes = toolAttributes(step, callId);
    this.add({
      ...{ spanId: this.newId(), parentId: spanId, kind: 'internal', fromMs: atMs, toMs, failed: step.failed },
      ...{ name: `execute_tool ${step.tool}`, attributes },
    });
    return toMs + gapMs;
  }
}

const toolAttributes = ({ tool, args, result, failed }: ToolCall, callId: string): Attributes => ({
  'gen_ai.operation.name': 'execute_tool',
  'gen_ai.tool.name': tool,
  'gen_ai.tool.type': 'function',
  'gen_ai.tool.call.id': callId,
  'gen_ai.tool.call.arguments': JSON.stringify(args),
  'gen_ai.tool.call.result': failed ? null : resultText(result),
});

/** The model calls of one run; each repeats the messages of the one before it, which the provider then has in its cache. */
class ModelCalls {
  readonly #trace: TraceSpans;
  readonly #agent: Agent;
  readonly #parentId: string;
  #tokensBefore = 0;

  constructor(trace: TraceSpans, agent: Agent, parentId: string) {
    this.#trace = trace;
    this.#agent = agent;
    this.#parentId = parentId;
  }

  /** @returns when the run goes on */
  add(input: readonly Message[], output: Message, atMs: number): number {
    const spanId = this.#trace.newId();
    const attributes = this.#sent(input);
    const texts = { input: Object.values(attributes).join(''), output: JSON.stringify(output.parts) };
    const figures = callFigures({ model: this.#agent.model, seed: spanId, tokensBefore: this.#tokensBefore, ...texts });
    this.#tokensBefore = figures.inputTokens;
    const answered = {
      'gen_ai.response.finish_reasons': [output.finish_reason ?? 'stop'],
      'gen_ai.output.messages': JSON.stringify([output]),
    };
    return this.#addSpan(spanId, atMs, figures.ms, { ...figures.attributes, ...attributes, ...answered });
  }

  addRefused(input: readonly Message[], failed: Failure, atMs: number): number {
    const { ms, attributes } = refusedCall(this.#agent.model, failed.message);
    return this.#addSpan(this.#trace.newId(), atMs, ms, { ...attributes, ...this.#sent(input) }, failed);
  }

  #sent(input: readonly Message[]): Attributes {
    const { system, prompt, tools } = this.#agent;
    return {
      'gen_ai.prompt.name': prompt.name,
      'gen_ai.prompt.version': prompt.version,
      'gen_ai.system_instructions': JSON.stringify([{ type: 'text', content: system }]),
      'gen_ai.tool.definitions': toolDefinitions(tools),
      'gen_ai.input.messages': JSON.stringify(input),
    };
  }

  #addSpan(spanId: string, fromMs: number, ms: number, attributes: Attributes, failed?: Failure): number {
    const name = `chat ${this.#agent.model}`;
    const toMs = fromMs + ms;
    this.#trace.add({ spanId, parentId: this.#parentId, name, kind: 'client', fromMs, toMs, failed, attributes });
    return toMs + gapMs;
  }
}
