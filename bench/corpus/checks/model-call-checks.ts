/** Checks the kind of a span and the fields of a model call: model, provider, tokens, finish reason, first token, cost. */
import type { Usage } from '../../../server/ingest/normalise/normalised.ts';
import type { Expect } from '../comparison.ts';
import type { ExpectedSpan, ExpectedUsage } from '../expectation.ts';
import { sameNumber } from '../same.ts';
import type { ShownSpan } from '../shown.ts';
import { expectedCounts } from './expected-tokens.ts';

/** Calls of embedding models are type SPAN with kind embedding (docs/reference/ingest.md#types); so may be an application's own step. */
export function mayBeModelCall({ type, span_kind }: ShownSpan['wire'], { usage_aggregate }: ShownSpan['summary']): boolean {
  return type === 'GENERATION' || (span_kind === 'embedding' && !usage_aggregate);
}

export function checkModelCall(expect: Expect, expected: ExpectedSpan, shown: ShownSpan): void {
  const { wire, summary } = shown;
  const isRight = expected.is_model_call ? mayBeModelCall(wire, summary) : wire.type !== 'GENERATION';
  expect('model calls', isRight, expected.is_model_call, [wire.type, wire.span_kind]);
  expect('kinds.semantic', expected.kind_any_of.includes(wire.span_kind), expected.kind_any_of, wire.span_kind);
  if (expected.aggregate_usage) checkAggregate(expect, expected.aggregate_usage, summary.usage);
  const { llm } = expected;
  if (!llm) return;
  if (llm.model_any_of) expect('models', llm.model_any_of.includes(wire.model ?? ''), llm.model_any_of, wire.model);
  if (llm.request_model)
    expect('models.request', isModel(llm.request_model, summary.request_model), llm.request_model, summary.request_model);
  if (llm.provider) expect('providers', isProvider(llm.provider, summary.provider), llm.provider, summary.provider);
  if (llm.finish_reason) {
    const { finish_reason } = wire;
    expect('finish reasons', sameReason(llm.finish_reason, finish_reason), llm.finish_reason, finish_reason);
  }
  if (llm.prompt) {
    const version = String(llm.prompt.version ?? '');
    expect('prompts.name', wire.prompt_name === llm.prompt.name, llm.prompt.name, wire.prompt_name);
    expect('prompts.version', summary.prompt_version === version, version, summary.prompt_version);
  }
  if (llm.cost?.total) expect('costs', sameNumber(llm.cost.total, wire.cost, 1e-9), llm.cost.total, wire.cost);
  checkFirstToken(expect, expected, summary.ttft_ms);
  checkTokens(expect, expected, shown);
}

/** The AI SDK appends the API after a dot (`openai.chat`); the provider is the part before it. */
const isProvider = (expected: string, got: string): boolean => got === expected || (got !== '' && expected.startsWith(`${got}.`));

/** Genkit writes the plugin before the model: `googleai/gemini-2.5-flash`. */
const isModel = (expected: string, got: string): boolean => got !== '' && (expected === got || expected.endsWith(`/${got}`));

/** Conventions spell one reason with a hyphen, an underscore, in capitals. */
const sameReason = (expected: string, got: string | null): boolean => {
  const plain = (reason: string) => reason.toLowerCase().replaceAll('-', '_').replace(/s$/, '');
  return got !== null && plain(got) === plain(expected);
};

function checkFirstToken(expect: Expect, { llm }: ExpectedSpan, got: number | null): void {
  const expected = llm?.time_to_first_token_ms;
  if (expected !== undefined && llm?.time_to_first_token_note === undefined) {
    expect('first token', sameNumber(expected, got, 0.01), expected, got);
  }
  if (llm?.time_to_first_token_note !== undefined) expect('first token.none', got === null, null, got);
}

/** Usage that a wrapper repeats may be shown unchanged; the trace checks verify that it is not added. Output may include reasoning or not. */
function checkAggregate(expect: Expect, { input }: ExpectedUsage, { input_tokens }: Usage): void {
  if (typeof input === 'number') expect('tokens.aggregate', input_tokens === null || input_tokens === input, [input, null], input_tokens);
}

function checkTokens(expect: Expect, expected: ExpectedSpan, { wire, summary }: ShownSpan): void {
  const allowed = expectedCounts(expected);
  const { usage } = summary;
  const check = (field: string, right: number[] | null, got: number | null) => {
    if (right) expect(`tokens.${field}`, got !== null && right.includes(got), right, got);
  };
  check('input', allowed.input, usage.input_tokens);
  check('input shown', allowed.input, wire.input_tokens);
  check('output', allowed.output, usage.output_tokens);
  check('output shown', allowed.output, wire.output_tokens);
  check('total', allowed.total, wire.tokens);
  // Zero cached tokens and no report of them look the same to a reader.
  check('cache read', allowed.cache_read, usage.cache_read_tokens ?? 0);
  check('cache write', allowed.cache_write, usage.cache_write_tokens ?? 0);
  check('reasoning', allowed.reasoning, usage.reasoning_tokens ?? 0);
}
