/** Sample data that the examples share: a support bot of the team Acme, a trace of it, and the people who maintain it. */
import type { Score } from '../../../shared/contract/evaluation/scores.ts';
import type { SpanIo, SpanItem } from '../../../shared/contract/tracing/spans.ts';
import type { TraceItem } from '../../../shared/contract/tracing/traces.ts';

export const ids = {
  trace: '0af7651916cd43dd8448eb211c80319c',
  root: 'b7ad6b7169203331',
  call: '00f067aa0ba902b7',
  session: 'conversation-4821',
  tenant: '1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed',
  app: '7c9e6679-7425-40de-944b-e07fc1f90ae7',
  environment: '3f333df6-90a4-4fda-8dd3-9485d27cee36',
  production: '6ecd8c99-4036-403d-bf84-cf8400f67836',
  deployment: '9a7b330a-a736-4c3b-bf5e-2d8c0f1f2a11',
  person: '16fd2706-8baf-433b-82eb-8c7fada847da',
  score: '886313e1-3b8a-4372-9b90-0c9aee199e5d',
  queue: '5d1f3c7e-2f3a-4a7e-9c59-5c2f0f4f6f10',
  item: 'c56a4180-65aa-42ec-a945-5fd21dec0538',
  alert: '2c5ea4c0-4067-4fe9-8bad-9b1deb4d3b7d',
  channel: '7f0c1f5e-3a67-4f0a-9f0b-55d0b0f3c9a1',
} as const;

export const commit = '4f1c2a9b7d3e60581f0c9d2b7a6e5f4c3b2a1908';
export const key = 'sk_service_3kTMd9vYqLwQ8xRzB1nPcF7hGjA2sE5u';

export const page = (total: number) => ({ limit: 50, offset: 0, total });

export const trace: TraceItem = {
  id: ids.trace,
  name: 'answer-ticket',
  status: 'OK',
  start: '2026-01-15T10:30:00.000Z',
  end: '2026-01-15T10:30:02.480Z',
  latency_ms: 2480,
  cost: 0.00413,
  tokens: 1364,
  span_count: 2,
  error_count: 0,
  tags: ['support'],
  input_preview: 'Where is my order 4821?',
  output_preview: 'It left our warehouse this morning and should be with you on Saturday.',
};

export const span: SpanItem = {
  id: ids.call,
  trace_id: ids.trace,
  parent_id: ids.root,
  name: 'chat gpt-4o',
  status: 'OK',
  status_message: '',
  duration_ms: 1930,
  timestamp: '2026-01-15T10:30:00.412Z',
  type: 'GENERATION',
  model: 'gpt-4o',
  input_tokens: 1290,
  output_tokens: 74,
  tokens: 1364,
  cost: 0.00413,
  cost_source: 'computed',
  span_kind: 'llm',
  service_name: 'support-bot',
  prompt_name: 'answer-ticket',
  metadata: { customer: 'acme' },
};

export const spanIo: SpanIo = {
  input: '[{"role":"user","content":"Where is my order 4821?"}]',
  output: 'It left our warehouse this morning and should be with you on Saturday.',
  output_object: null,
  tool_calls: null,
  metadata: { customer: 'acme' },
};

export const score: Score = {
  id: ids.score,
  resource_id: ids.trace,
  name: 'helpful',
  score: 1,
  label: 'yes',
  reason: 'Answers the question and names a day.',
  source: 'api',
  created_at: '2026-01-15T10:31:07.000Z',
};

export const app = {
  id: ids.app,
  tenant_id: ids.tenant,
  name: 'support-bot',
  display_name: 'Support bot',
  runtime: 'nodejs' as const,
  entry_point: null,
  commit_sha: commit,
  created_at: '2026-01-10T08:00:00.000Z',
  created_by: ids.person,
  updated_at: null,
  updated_by: null,
};
