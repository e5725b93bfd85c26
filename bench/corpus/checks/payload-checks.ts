/** Checks inputs and outputs of spans that are not model calls: tools, agents, steps, retrievals. */

import type { Expect } from '../comparison.ts';
import type { ExpectedSpan, Text } from '../expectation.ts';
import { sameJson, samePayload } from '../same.ts';
import type { ShownSpan } from '../shown.ts';
import { shownCalls, shownFacts } from '../shown-messages.ts';

export function checkPayload(expect: Expect, expected: ExpectedSpan, shown: ShownSpan): void {
  if (expected.tool) checkTool(expect, expected.tool, shown);
  const { input, output } = shown.io;
  if (expected.guardrail) expect('names.guardrail', shown.wire.name === expected.guardrail.name, expected.guardrail.name, shown.wire.name);
  if (expected.input !== undefined) expect('payloads.input', sameInput(expected.input, input), expected.input, input);
  if (expected.output !== undefined) expect('payloads.output', sameOutput(expected.output, shown), expected.output, output);
  for (const { content, id, score, metadata } of expected.documents ?? []) {
    const documents = shown.io.output_object ?? output;
    const parts = [content, id, score].map((part) => (part === undefined ? '' : String(part)));
    // A document's metadata may be stored as text or as its value.
    const hasMetadata = metadata === undefined || documents.includes(metadata) || documents.includes(JSON.stringify(metadata).slice(1, -1));
    const isShown = hasMetadata && parts.every((part) => documents.includes(part));
    expect('documents', isShown, { id, content, score, metadata }, documents);
  }
}

function checkTool(expect: Expect, tool: NonNullable<ExpectedSpan['tool']>, { summary, io }: ShownSpan): void {
  expect('tools.name', summary.tool_name === tool.name, tool.name, summary.tool_name);
  if (tool.call_id) expect('tools.call id', summary.tool_call_id === tool.call_id, tool.call_id, summary.tool_call_id);
  const [call] = shownCalls(io.tool_calls);
  if (tool.arguments !== undefined) {
    // Traceloop wraps arguments in {args, kwargs}: both forms are correct.
    const right = [tool.arguments, tool.arguments_unwrapped].filter((value) => value !== undefined);
    const got = [call?.args, io.input];
    expect(
      'tools.arguments',
      right.some((value) => got.some((candidate) => sameJson(value, candidate))),
      tool.arguments,
      got,
    );
  }
  if (tool.result !== undefined) {
    const got = [call?.result, io.output, io.output_object];
    expect(
      'tools.result',
      got.some((candidate) => sameJson(tool.result, candidate)),
      tool.result,
      got,
    );
  }
}

/**
 * The expectation has the attribute as sent, or only the user's message; the gateway shows the conversation in its own form,
 * often with more messages. Correct when it is the same, or one of the messages.
 */
function sameInput(expected: Text, got: string): boolean {
  if (samePayload(expected, got)) return true;
  const texts = shownFacts(got).flatMap((fact) => (fact.kind === 'text' ? [fact.value as string] : []));
  if (texts.some((text) => samePayload(expected, text)) || samePayload(expected, texts.join('\n'))) return true;
  return typeof expected === 'string' && containsAllTexts(expected, got);
}

function sameOutput(expected: Text, { io }: ShownSpan): boolean {
  if (samePayload(expected, io.output) || samePayload(expected, io.output_object)) return true;
  return typeof expected === 'string' && containsAllTexts(expected, [io.output, io.tool_calls].join('\n'));
}

/** Whether every text that a person, a model or a tool wrote is shown. */
function containsAllTexts(sent: string, shown: string): boolean {
  let value: unknown;
  try {
    value = JSON.parse(sent);
  } catch {
    return false;
  }
  return writtenTexts(value).every((text) => shown.includes(text) || shown.includes(JSON.stringify(text).slice(1, -1)));
}

/** Genkit repeats the request, and the provider's own answer, inside its answer. */
const repeated = new Set(['request', 'raw', 'custom']);
const written = new Set(['content', 'text', 'prompt', 'output', 'input', 'toolName', 'name']);
const structured = new Set(['arguments', 'args', 'result', 'response']);

function writtenTexts(value: unknown, key = 'content'): string[] {
  if (typeof value === 'string') return written.has(key) && value !== '' ? [value] : [];
  if (Array.isArray(value)) return value.flatMap((item) => writtenTexts(item, key));
  if (typeof value !== 'object' || value === null) return [];
  if (structured.has(key)) return Object.values(value).flatMap((item) => writtenTexts(item));
  return Object.entries(value).flatMap(([name, each]) => (repeated.has(name) ? [] : writtenTexts(each, name)));
}
