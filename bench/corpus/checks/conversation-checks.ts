/** Checks the conversation: input messages, output text and tool calls, reasoning, images. All from the single-span read, which truncates nothing. */

import type { Expect } from '../comparison.ts';
import type { ExpectedCall, ExpectedMessage, ExpectedSpan } from '../expectation.ts';
import { sameJson, samePayload, sameText } from '../same.ts';
import type { ShownSpan } from '../shown.ts';
import { expectedFacts, type Fact, shownCalls, shownFacts } from '../shown-messages.ts';

/** The context of a span. */
export interface SpanContext {
  parent: ShownSpan | undefined;
  /** The capture also sent log records, which hold the texts that its spans lack. */
  hasLogs: boolean;
  /** The output of a coding agent is checked by its turns. */
  hasTurns: boolean;
}

export function checkConversation(
  expect: Expect,
  expected: ExpectedSpan,
  shown: ShownSpan,
  { parent, hasLogs, hasTurns }: SpanContext,
): void {
  const { io, content } = shown;
  const { llm } = expected;
  const messages = llm?.input_messages ?? expected.input_messages;
  if (messages) checkMessages(expect, messages, [io.input]);
  // Mastra writes them on the step around the call: they may be shown on either.
  if (llm?.input_messages_on_parent) checkMessages(expect, llm.input_messages_on_parent, [io.input, parent?.io.input ?? '']);
  if (llm?.input_texts) for (const text of llm.input_texts) expect('messages.texts', io.input.includes(text), text, io.input);
  if (llm?.output?.text !== undefined) expect('outputs.text', samePayload(llm.output.text, io.output), llm.output.text, io.output);
  const calls = llm?.tool_calls_on_parent ? [io.tool_calls, parent?.io.tool_calls ?? null] : [io.tool_calls];
  if (llm?.output?.tool_calls) checkCalls(expect, llm.output.tool_calls, calls);
  if (expected.output_tool_calls) checkCalls(expect, expected.output_tool_calls, [io.tool_calls]);
  if (llm?.output?.reasoning_text !== undefined) {
    const parts = content.output_messages.flatMap((message) => message.parts);
    const reasoning = parts.map((part) => (part.type === 'reasoning' ? part.text : '')).join('');
    expect('reasoning', sameText(llm.output.reasoning_text, reasoning), llm.output.reasoning_text, reasoning);
  }
  if (llm?.content_recorded === false) {
    if (hasTurns) return;
    if (hasLogs) checkLogged(expect, expected, shown);
    // Recording was off, so there must be no text.
    else expect('outputs.none', io.input === '' && io.output === '', 'no texts', [io.input, io.output]);
  }
  // The raw route returns the span without the content of log records.
  if (!hasLogs) expect('api', io.input === content.input && io.output === content.output, 'the normaliser’s own answer', io);
}

/** The expectation describes the spans alone; content from log records must be what the provider really answered. */
function checkLogged(expect: Expect, { truth }: ExpectedSpan, { io }: ShownSpan): void {
  if (truth?.output_text !== undefined) expect('logs.output', samePayload(truth.output_text, io.output), truth.output_text, io.output);
  if (truth?.tool_calls?.length) {
    const calls = truth.tool_calls.map(({ args, ...call }) => ({ ...call, arguments: args }));
    checkCalls((field, ...rest) => expect(`logs.${field}`, ...rest), calls, [io.tool_calls]);
  }
  if (truth) expect('logs.input', io.input !== '', 'the messages sent', io.input);
}

function checkMessages(expect: Expect, expected: ExpectedMessage[], inputs: string[]): void {
  const facts = expectedFacts(expected);
  const candidates = inputs.map(shownFacts);
  const best = candidates.find((got) => sameFacts(facts, got)) ?? candidates[0] ?? [];
  expect('messages.count', best.length === facts.length, facts, best);
  facts.forEach((fact, index) => {
    const group = fact.kind === 'image' ? 'images' : 'messages';
    expect(`${group}.${index}`, sameFact(fact, best[index]), fact, best[index]);
  });
}

const sameFacts = (expected: Fact[], got: Fact[]): boolean =>
  expected.length === got.length && expected.every((fact, index) => sameFact(fact, got[index]));

function sameFact(expected: Fact, got: Fact | undefined): boolean {
  if (!got || got.kind !== expected.kind || got.role !== expected.role) return false;
  if ('id' in expected && expected.id !== undefined && 'id' in got && got.id !== expected.id) return false;
  if (expected.kind === 'call' && got.kind === 'call' && expected.name !== got.name) return false;
  if (expected.kind === 'image' && got.kind === 'image') return sameImage(expected, got);
  if (expected.kind === 'text') return sameText(expected.value as string, got.value);
  return sameResult(expected.value, got.value);
}

type Image = Extract<Fact, { kind: 'image' }>;

/** A data URL holds the same bytes as base64 behind its comma. */
function sameImage(expected: Image, got: Image): boolean {
  const sameType = expected.mimeType === undefined || expected.mimeType === got.mimeType;
  return sameType && (expected.value === got.value || (got.value !== '' && expected.value.endsWith(`,${got.value}`)));
}

/** A result that is JSON may be kept as its text or as its value. */
function sameResult(expected: unknown, got: unknown): boolean {
  return sameJson(expected, got) || (typeof expected === 'string' && samePayload(expected, got));
}

function checkCalls(expect: Expect, expected: ExpectedCall[], candidates: (string | null)[]): void {
  const shown = candidates.map(shownCalls);
  const calls = shown.find((list) => list.length === expected.length) ?? shown[0] ?? [];
  expect('tool calls.count', calls.length === expected.length, expected, calls);
  expected.forEach(({ id, name, arguments: args }, index) => {
    const got = calls[index];
    const isRight = got !== undefined && got.name === name && (id === undefined || got.id === id) && sameJson(args, got.args);
    expect(`tool calls.${index}`, isRight, expected[index], got);
  });
}
