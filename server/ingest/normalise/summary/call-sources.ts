import type { RawValue } from '../../otlp/raw-span.ts';
import { providerMetadata } from './families/ai-sdk.ts';
import { braintrustFirstToken, braintrustModel } from './families/braintrust.ts';
import { claudeAmount, claudeText, isClaudeCode } from './families/claude-code.ts';
import { isCodexTurn } from './families/codex.ts';
import { firstReason, reasonOfMessages } from './families/gen-ai.ts';
import { adkFinish, genkitFinish, genkitModel, genkitProvider, genkitTool } from './families/google.ts';
import { langfuseCost } from './families/langfuse.ts';
import { oldMastra } from './families/mastra.ts';
import { inMetadata } from './families/openinference.ts';
import { pydanticText } from './families/pydantic-ai.ts';
import { entityOfKind } from './families/traceloop.ts';
import { type FieldResolver, from, type Source } from './field-resolver.ts';
import type { AmountField, TextField } from './fields.ts';
import { amountValue, millisecondsSince, textValue, timeValue } from './values.ts';

/** Sources of the fields of a call: model, tool, agent, finish reason, cost, time to first token. The first usable source wins. */

/** The AI SDK appends the API to the provider: `openai.chat`, `anthropic.messages`. */
function withoutApi(value: RawValue): string | undefined {
  return textValue(value)?.replace(/\.(?:chat|responses|messages|completion|embedding|image|speech|transcription)$/, '');
}

function seconds(key: string): Source {
  return from(key, (value) => {
    const amount = amountValue(value);
    return amount === undefined ? undefined : amount * 1000;
  });
}

/** Some senders repeat the time of the first step on later steps. A time before the start of the span is ignored. */
function sinceStart(value: RawValue, resolver: FieldResolver): number | undefined {
  const time = timeValue(value);
  if (time === undefined) return undefined;
  const milliseconds = millisecondsSince(resolver.spanData.span.start_ns, time);
  if (milliseconds >= 0) return milliseconds;
  resolver.warn('The time of the first token is before the start of the span: ignored.');
  return undefined;
}

/** A generic key, read only in spans of coding agents, where it is the model. */
const agentModel = from('model', (value, { spanData }) => (isClaudeCode(spanData) || isCodexTurn(spanData) ? textValue(value) : undefined));

export const callSources = {
  model: [
    'gen_ai.response.model',
    'llm.response.model_name',
    'ai.response.model',
    'gen_ai.request.model',
    'langfuse.observation.model.name',
    'llm.model_name',
    'llm.request.model_name',
    'ai.model.id',
    'aisdk.model.id',
    'embedding.model_name',
    'reranker.model_name',
    pydanticText('model_name'),
    genkitModel,
    braintrustModel,
    'langsmith.metadata.ls_model_name',
    oldMastra.model,
    agentModel,
  ],
  request_model: ['gen_ai.request.model', 'ai.model.id', 'llm.request.model_name', genkitModel],
  provider: [
    from('gen_ai.provider.name', withoutApi),
    from('gen_ai.system', withoutApi),
    'llm.provider',
    'llm.system',
    from('ai.model.provider', withoutApi),
    'langsmith.metadata.ls_provider',
    'langfuse.observation.metadata.ls_provider',
    from('metadata', inMetadata('ls_provider')),
    genkitProvider,
  ],
  agent_name: [
    'gen_ai.agent.name',
    'agent.name',
    pydanticText('agent_name'),
    from('traceloop.entity.name', entityOfKind('agent')),
    'crewai.agent.role',
  ],
  tool_name: [
    'gen_ai.tool.name',
    'ai.toolCall.name',
    'tool.name',
    'tool_call.function.name',
    from('traceloop.entity.name', entityOfKind('tool')),
    claudeText('tool_name'),
    'mcp.tool.name',
    'lk.function_tool.name',
    genkitTool,
  ],
  tool_call_id: ['gen_ai.tool.call.id', 'ai.toolCall.id', 'tool.id', 'tool_call.id', 'lk.function_tool.id', claudeText('tool_use_id')],
  finish_reason: [
    from('gen_ai.response.finish_reasons', firstReason),
    from('gen_ai.response.finish_reason', firstReason),
    'ai.response.finishReason',
    'ai.finishReason',
    'llm.finish_reason',
    'gen_ai.completion.0.finish_reason',
    from('gen_ai.output.messages', reasonOfMessages),
    from('llm.response.finish_reason', firstReason),
    claudeText('stop_reason'),
    'gen_ai.response.stop_reason',
    genkitFinish,
    adkFinish,
  ],
} satisfies Partial<Record<TextField, Source[]>>;

export const amountSources = {
  reported_cost: [
    // A wrapper without a price sends 0, which is not a reported cost.
    from('agentmark.usage.cost_usd', (value) => amountValue(value) || undefined),
    claudeAmount('cost_usd'),
    langfuseCost,
    'gen_ai.usage.cost',
    'gen_ai.cost.total_cost',
    'gen_ai.cost.usd',
    'gen_ai.cost.total_tokens',
    'gen_ai.usage.total_cost',
    'llm.cost.total',
    ...providerMetadata.cost,
  ],
  prompt_cost: ['llm.cost.prompt', 'gen_ai.cost.input_cost', 'gen_ai.cost.input_tokens', 'gen_ai.usage.input_cost'],
  completion_cost: ['llm.cost.completion', 'gen_ai.cost.output_cost', 'gen_ai.cost.output_tokens', 'gen_ai.usage.output_cost'],
  ttft_ms: [
    seconds('gen_ai.response.time_to_first_chunk'),
    seconds('gen_ai.server.time_to_first_token'),
    seconds('gen_ai.client.operation.time_to_first_chunk'),
    'ai.response.msToFirstChunk',
    'ai.stream.msToFirstChunk',
    claudeAmount('ttft_ms'),
    seconds('lk.response.ttft'),
    braintrustFirstToken,
    from('langfuse.observation.completion_start_time', sinceStart),
    from('mastra.completion_start_time', sinceStart),
  ],
} satisfies Record<AmountField, Source[]>;
