import { expect, it } from 'vitest';
import type { ListedTrace } from '../../../shared/contract/tracing/trace-list.ts';
import { tracesPrompt } from './traces-prompt.ts';

const trace = (change: Partial<ListedTrace>): ListedTrace => ({
  ...{ id: 'a1', name: 'support', status: 'OK', start: '2025-06-01T10:00:00.000Z', end: '2025-06-01T10:00:02.000Z', latency_ms: 2000 },
  ...{ cost: 0.0181, tokens: 1200, span_count: 3, error_count: 0, tags: [], models: ['gpt-4o'], scores: [], running: 0 },
  ...{ session_id: null, user_id: null, prompt_name: null, waiting_for: null, service: null, input_span: null, output_span: null },
  ...change,
});

it('says of each trace what was asked and answered, how it ended, and how to read the rest', () => {
  const text = tracesPrompt(
    '2 traces',
    [
      trace({ input_preview: 'Where is my order?', output_preview: 'In Vienna.' }),
      trace({ id: 'b2', status: 'ERROR', error_count: 2, running: 1 }),
    ],
    'http://localhost:9418',
  );
  expect(text).toContain('# 2 traces\n\nAll spans of a trace: GET http://localhost:9418/v1/traces/TRACE_ID');
  expect(text).toContain(
    'status OK, took 2.00 s, 1.2 k tokens, cost $0.0181, models gpt-4o\nAsked: Where is my order?\nAnswered: In Vienna.',
  );
  expect(text).toContain('Trace b2, started 2025-06-01T10:00:00.000Z\nrunning, 2 failed spans, 1.2 k tokens');
});

it('names by id what is too much to describe', () => {
  const text = tracesPrompt(
    '60 traces',
    Array.from({ length: 60 }, (_, at) => trace({ id: `t${at}` })),
    '',
  );
  expect(text.match(/^## /gm)).toHaveLength(50);
  expect(text).toContain('10 more traces: t50, t51');
});
