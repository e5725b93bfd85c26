import { expect, it } from 'vitest';
import { spanFamilies } from '../../../../shared/span-families.ts';
import { codingAgents } from '../coding-agents.ts';
import { guideGroups, isFound, setupGuides } from './setup-guides.ts';

const here = { origin: 'http://localhost:4242', appId: null, key: null };
const codeOf = (guide: ReturnType<typeof setupGuides>[number]) => guide.steps.map(({ code }) => code).join('\n');

it('every guide has code with the address of this page', () => {
  for (const guide of setupGuides(here))
    expect(codeOf(guide), guide.id).toMatch(/http:\/\/localhost:4242|'http:\/\/localhost',\n {2}httpPort: 4242/);
  expect(setupGuides(here)[0]?.steps[0]?.code).toBe(
    'export OTEL_EXPORTER_OTLP_ENDPOINT=http://localhost:4242\nexport OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf',
  );
  for (const guide of setupGuides(here)) expect(codeOf(guide), guide.id).not.toMatch(/authorization|app-id/);
});

it('where keys are needed, every guide has the key or a placeholder, and the app id', () => {
  const target = { origin: 'https://glass.example', appId: 'app-1', key: null };
  for (const guide of setupGuides(target)) expect(codeOf(guide), guide.id).toMatch(/API_KEY[\s\S]*app-1/);
  for (const guide of setupGuides({ ...target, key: 'sk_service_1' })) expect(codeOf(guide), guide.id).toMatch(/sk_service_1[\s\S]*app-1/);
  expect(setupGuides(target)[0]?.steps[0]?.code).toContain(
    'export OTEL_EXPORTER_OTLP_HEADERS="authorization=<API_KEY>,x-service-app-id=app-1"',
  );
});

it('every instrumentation that the gateway recognises has a guide', () => {
  const guided = new Set(setupGuides(here).flatMap(({ families }) => families));
  expect([...guided].sort()).toEqual([...spanFamilies].sort());
});

it.each([
  ['mastra', 'Mastra'],
  ['langchain', 'LangGraph, LangChain'],
  ['openai agents', 'OpenAI Agents SDK'],
  ['gemini cli', 'Gemini CLI'],
  ['phoenix', 'OpenInference'],
  ['rust', 'Any OpenTelemetry SDK'],
  ['azure', 'Semantic Kernel, AutoGen'],
])('the search for %s finds %s', (query, label) => {
  const found = guideGroups(here).flatMap(({ guides }) => guides.filter((guide) => isFound(guide, query)));
  expect(found.map((guide) => guide.label)).toContain(label);
  expect(found.length).toBeLessThan(6);
});

it('guide ids are unique', () => {
  const ids = setupGuides(here).map((guide) => guide.id);
  expect(new Set(ids).size).toBe(ids.length);
});

it('every coding agent is configured with this address, to record messages, and to send over HTTP', () => {
  const [commands, settings] = [
    codingAgents(here).map(({ steps }) => steps[0]?.code),
    codingAgents(here).map(({ steps }) => steps.slice(1)),
  ];
  expect(commands).toEqual(['claude-code', 'codex', 'gemini'].map((agent) => `glasshouse connect ${agent} --url http://localhost:4242`));
  const [claude = '', codex = '', gemini = ''] = settings.map((steps) => steps.map(({ code }) => code).join('\n'));
  for (const line of ['CLAUDE_CODE_ENABLE_TELEMETRY=1', 'OTEL_LOGS_EXPORTER=otlp', 'OTEL_LOG_USER_PROMPTS=1', 'OTEL_TRACES_EXPORTER=otlp'])
    expect(claude).toContain(`export ${line}\n`);
  expect(claude).toContain('export OTEL_EXPORTER_OTLP_ENDPOINT=http://localhost:4242\nexport OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf\n');
  expect(codex).toContain('exporter = { otlp-http = { endpoint = "http://localhost:4242/v1/logs", protocol = "binary" } }');
  expect(codex).toContain('trace_exporter = { otlp-http = { endpoint = "http://localhost:4242/v1/traces", protocol = "binary" } }');
  expect(JSON.parse(gemini)).toEqual({
    telemetry: {
      ...{ enabled: true, traces: true, target: 'local', logPrompts: true },
      ...{ otlpProtocol: 'http', otlpEndpoint: 'http://localhost:4242' },
    },
  });
});

it('where keys are needed, the settings of every coding agent have the key', () => {
  const target = { origin: 'https://glass.example', appId: 'app-1', key: 'sk_service_1' };
  for (const { id, steps } of codingAgents(target))
    expect(steps.map(({ code }) => code).join('\n'), id).toMatch(/sk_service_1[\s\S]*app-1/);
  // It writes no keys.
  expect(codingAgents(target).flatMap(({ steps }) => steps.filter(({ code }) => code.includes('glasshouse connect')))).toEqual([]);
});
