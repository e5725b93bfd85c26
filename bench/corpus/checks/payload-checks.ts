/** What went into and came out of spans that are no model call: tools, agents, steps, retrievals. */
import type { ExpectedSpan, Text } from '../expectation.ts';
import { sameJson, samePayload } from '../same.ts';
import type { ShownSpan } from '../shown.ts';
import { shownCalls, shownFacts } from '../shown-messages.ts';
import type { Expect } from '../tally.ts';

export function checkPayload(expect: Expect, expected: ExpectedSpan, shown: ShownSpan): void {
  if (expected.tool) checkTool(expect, expected.tool, shown);
  const { input, output } = shown.io;
  if (expected.input !== undefined) expect('payloads.input', sameInput(expected.input, input), expected.input, input);
  if (expected.output !== undefined) expect('payloads.output', sameOutput(expected.output, shown), expected.output, output);
  for (const { content, id, score } of expected.documents ?? []) {
    const documents = shown.io.output_object ?? output;
    const isShown = [content, id, score].every((part) => part === undefined || documents.includes(String(part)));
    expect('documents', isShown, { id, content, score }, documents);
  }
}

function checkTool(expect: Expect, tool: NonNullable<ExpectedSpan['tool']>, { summary, io }: ShownSpan): void {
  expect('tools.name', summary.tool_name === tool.name, tool.name, summary.tool_name);
  if (tool.call_id) expect('tools.call id', summary.tool_call_id === tool.call_id, tool.call_id, summary.tool_call_id);
  const [call] = shownCalls(io.tool_calls);
  if (tool.arguments !== undefined) {
    // Traceloop wraps arguments in {args, kwargs}: wrapped and unwrapped are both told.
    const right = [tool.arguments, tool.arguments_unwrapped].filter((value) => value !== undefined);
    const got = [call?.args, io.input];
    expect(
      'tools.arguments',
      right.some((value) => got.some((each) => sameJson(value, each))),
      tool.arguments,
      got,
    );
  }
  if (tool.result !== undefined) {
    const got = [call?.result, io.output, io.output_object];
    expect(
      'tools.result',
      got.some((each) => sameJson(tool.result, each)),
      tool.result,
      got,
    );
  }
}

/** Input that is no list of messages is what one user said; one that is, is compared by what it says. */
function sameInput(expected: Text, got: string): boolean {
  if (samePayload(expected, got)) return true;
  const said = shownFacts(got);
  const [only] = said;
  if (said.length === 1 && only?.kind === 'text' && samePayload(expected, only.value)) return true;
  return typeof expected === 'string' && saysAll(expected, got);
}

function sameOutput(expected: Text, { io }: ShownSpan): boolean {
  if (samePayload(expected, io.output) || samePayload(expected, io.output_object)) return true;
  return typeof expected === 'string' && saysAll(expected, [io.output, io.tool_calls].join('\n'));
}

/**
 * The expectation repeats the attribute as sent; the gateway shows the conversation inside it, in its own form. Right when
 * every text that a person or a model wrote is there.
 */
function saysAll(sent: string, shown: string): boolean {
  let value: unknown;
  try {
    value = JSON.parse(sent);
  } catch {
    return false;
  }
  const texts = writtenTexts(value);
  return texts.length > 0 && texts.every((text) => shown.includes(text) || shown.includes(JSON.stringify(text).slice(1, -1)));
}

const written = new Set(['content', 'text', 'prompt', 'arguments', 'args', 'result', 'output', 'input']);

function writtenTexts(value: unknown, key = 'content'): string[] {
  if (typeof value === 'string') return written.has(key) && value !== '' ? [value] : [];
  if (Array.isArray(value)) return value.flatMap((each) => writtenTexts(each, key));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, each]) => writtenTexts(each, name));
}
