import { describe, expect, it, test } from 'vitest';
import { spanFamilies } from '../../../../shared/span-families.ts';
import { summarise } from './index.ts';
import { sample } from './sample-span.ts';

/** Scope and a characteristic attribute of spans as the libraries send them: of recorded exports, or of the source of the library. */
const sent = [
  ['agentmark', 'agentmark', {}],
  ['aisdk', 'ai', { 'ai.operationId': 'ai.generateText' }],
  ['aisdk', 'gen_ai', { 'gen_ai.operation.name': 'chat' }],
  ['mastra', '@mastra/otel-exporter', {}],
  ['openinference', '@arizeai/openinference-instrumentation-openai-agents', { 'openinference.span.kind': 'AGENT' }],
  ['openinference', 'openinference.instrumentation.langchain', { 'openinference.span.kind': 'CHAIN' }],
  ['traceloop', '@traceloop/node-server-sdk', { 'traceloop.span.kind': 'workflow' }],
  ['traceloop', '@traceloop/instrumentation-llamaindex', {}],
  ['llamaindex', 'llama-index-observability-otel', {}],
  ['langfuse', 'langfuse-sdk', { 'langfuse.observation.type': 'generation' }],
  ['langsmith', 'langsmith', { 'langsmith.span.kind': 'llm' }],
  ['genkit', 'genkit-tracer', { 'genkit:type': 'action' }],
  ['adk', 'gcp.vertex.agent', {}],
  ['claude-code', 'com.anthropic.claude_code.tracing', {}],
  ['codex', 'codex_exec', {}],
  ['genai', 'gemini-cli', { 'gen_ai.operation.name': 'llm_call' }],
  ['genai', '@opentelemetry/instrumentation-openai', { 'gen_ai.operation.name': 'chat' }],
  ['laminar', 'lmnr.tracer', {}],
  ['mcp', 'corpus-app', { 'mcp.method.name': 'tools/call' }],
  ['pydantic', 'pydantic-ai', { 'gen_ai.operation.name': 'invoke_agent' }],
  ['logfire', 'logfire.openai', {}],
  ['litellm', 'litellm', {}],
  ['openlit', 'openlit.otel.tracing', { 'gen_ai.operation.name': 'chat' }],
  ['strands', 'strands.telemetry.tracer', {}],
  ['livekit', 'livekit-agents', {}],
  ['crewai', 'crewai.telemetry', {}],
  ['microsoft', 'semantic_kernel.connectors.ai.chat_completion_client_base', {}],
  ['microsoft', 'agent_framework', {}],
  ['microsoft', 'autogen-core', {}],
  ['mlflow', 'mlflow.openai', { 'mlflow.spanType': 'CHAT_MODEL' }],
  ['braintrust', 'my-app', { 'braintrust.span_attributes': '{"type":"llm"}' }],
  ['sentry', '@sentry/node', { 'sentry.origin': 'auto.ai.openai' }],
] as const;

describe('the instrumentation of a span', () => {
  test.each(sent)('is %s for the scope %s', (family, scope, attributes) => {
    expect(summarise(sample({ scope, attributes })).family).toBe(family);
  });

  it('is known for every instrumentation that the setup page names', () => {
    expect([...new Set(sent.map(([family]) => family))].sort()).toEqual([...spanFamilies].sort());
  });

  it('is empty for a span of a program’s own', () => {
    expect(summarise(sample({ scope: 'my-app', attributes: {} })).family).toBe('');
  });
});
