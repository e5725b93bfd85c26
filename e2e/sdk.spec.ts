/** End to end: a real OpenTelemetry SDK exports a trace, the typed client reads it back, and a browser shows it. */
import { SpanStatusCode, trace } from '@opentelemetry/api';
import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { NodeSDK } from '@opentelemetry/sdk-node';
import { expect } from '@playwright/test';
import { startTestGateway, type TestGateway } from '../server/fixtures/test-gateway.ts';
import { test } from './journey.ts';

let gateway: TestGateway;

test.beforeAll(async () => {
  gateway = await startTestGateway();
});

test.afterAll(async () => {
  await gateway.stop();
});

const message = (role: string, content: string) => JSON.stringify([{ role, parts: [{ type: 'text', content }] }]);

/** An agent of three spans: a model call that succeeds, and a tool that fails. @returns its trace id */
function runAgent(question: string): string {
  const tracer = trace.getTracer('e2e-agent', '1.0.0');
  return tracer.startActiveSpan('invoke_agent weather', (agent) => {
    agent.setAttributes({ 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': 'weather', 'session.id': 'e2e-session' });
    tracer.startActiveSpan('chat gpt-4o', (chat) => {
      chat.setAttributes({
        'gen_ai.operation.name': 'chat',
        'gen_ai.provider.name': 'openai',
        'gen_ai.request.model': 'gpt-4o',
        'gen_ai.usage.input_tokens': 1200,
        'gen_ai.usage.output_tokens': 34,
        'gen_ai.input.messages': message('user', question),
        'gen_ai.output.messages': message('assistant', 'Let me look that up.'),
      });
      chat.end();
    });
    tracer.startActiveSpan('execute_tool get_weather', (tool) => {
      tool.setAttributes({ 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'get_weather' });
      tool.recordException(new Error('the weather service is away'));
      tool.setStatus({ code: SpanStatusCode.ERROR, message: 'the weather service is away' });
      tool.end();
    });
    agent.end();
    return agent.spanContext().traceId;
  });
}

const encodings = [
  { name: 'JSON', Exporter: JsonExporter, compression: 'none' },
  { name: 'JSON, gzip', Exporter: JsonExporter, compression: 'gzip' },
  { name: 'protobuf', Exporter: ProtobufExporter, compression: 'none' },
  { name: 'protobuf, gzip', Exporter: ProtobufExporter, compression: 'gzip' },
] as const;

for (const { name, Exporter, compression } of encodings) {
  test(`a trace of the real SDK is read back and shown: ${name}`, async ({ page }, info) => {
    const options = { url: `${gateway.url}/v1/traces`, compression } as ConstructorParameters<typeof Exporter>[0];
    const sdk = new NodeSDK({ serviceName: 'e2e-service', traceExporter: new Exporter(options), instrumentations: [] });
    sdk.start();
    const question = `What is the weather in Paris, by ${name}?`;
    const traceId = runAgent(question);
    await sdk.shutdown();

    const { data } = await gateway.client.traces.get({ params: { traceId }, query: {} });
    expect(data).toMatchObject({ id: traceId, name: 'invoke_agent weather', tokens: 1234 });
    const [agent, ...steps] = data.spans;
    expect(agent).toMatchObject({ name: 'invoke_agent weather', span_kind: 'agent', status: 'UNSET', parent_id: null });
    expect(steps.find(({ name }) => name === 'get_weather')).toMatchObject({ span_kind: 'tool', status: 'ERROR', parent_id: agent?.id });
    const chat = steps.find(({ name }) => name === 'chat gpt-4o');
    expect(chat).toMatchObject({ span_kind: 'llm', model: 'gpt-4o', parent_id: agent?.id });
    expect(chat?.input).toContain(question);
    expect(chat?.cost).toBeGreaterThan(0);

    const problems: string[] = [];
    page.on('console', (line) => line.type() === 'error' && problems.push(line.text()));
    page.on('pageerror', (error) => problems.push(error.message));
    await page.goto(`${gateway.url}/#/traces`);
    await page.getByRole('row', { name: new RegExp(question.replace('?', '\\?')) }).click();
    await expect(page.getByRole('tree', { name: 'Spans of the trace' }).getByRole('treeitem')).toHaveCount(3);
    await page.getByRole('treeitem', { name: /chat gpt-4o/ }).click();
    await expect(page.getByLabel('Detail').getByText(question)).toBeVisible();
    await page.getByRole('treeitem', { name: /get_weather/ }).click();
    await expect(page.getByLabel('Detail').getByText('the weather service is away').first()).toBeVisible();
    await info.attach('trace page', { body: await page.screenshot(), contentType: 'image/png' });
    expect(problems).toEqual([]);
    trace.disable();
  });
}
