/**
 * Twelve questions that a developer has after a run, over the recorded corpus: how an agent finds the answer with the gateway's tools, how with the
 * API alone, and what the answer is.
 */
import type { ApiAsker, ToolAsker } from './askers.ts';

export interface Question {
  question: string;
  /** What an answer has to contain. */
  answer: RegExp;
  /** @returns everything the agent has read when it knows the answer */
  byTools(asker: ToolAsker): Promise<string>;
  byApi(asker: ApiAsker): Promise<string>;
}

/** The first id of a trace that an answer names. */
const traceIn = (text: string): string => /\b[0-9a-f]{32}\b/.exec(text)?.[0] ?? 'none';

/** Finds the only trace that matches and shows it. */
const found =
  (filter: string, input: Record<string, unknown> = {}) =>
  async (asker: ToolAsker) => {
    const list = await asker.ask('find_traces', { filter, limit: 3 });
    return list + (await asker.ask('show_trace', { trace_id: traceIn(list), ...input }));
  };
const foundByApi = (filter: string) => async (asker: ApiAsker) => {
  const list = await asker.get('/v1/traces', { filter, limit: '3' });
  return list + (await asker.get(`/v1/traces/${traceIn(list)}/spans`, { limit: '1000' }));
};

export const questions: Question[] = [
  {
    question: 'What did the last run do, and what did it answer?',
    answer: /lmnr-agent.*Translate.*こんにちは/s,
    byTools: (asker) => asker.ask('last_run'),
    byApi: async (asker) => {
      const list = await asker.get('/v1/traces', { limit: '1' });
      return list + (await asker.get(`/v1/traces/${traceIn(list)}/spans`));
    },
  },
  {
    question: 'Which step of the Mastra writer failed, and why?',
    answer: /temperature/,
    byTools: found('service = "mastra-app" status = ERROR', { errors_only: true }),
    byApi: foundByApi('service = "mastra-app" and status = ERROR'),
  },
  {
    question: 'The weather agent answered "please try again" for Atlantis, with status ok. What went wrong inside?',
    answer: /get_weather.*(?:FAILED|ERROR|Error running tool)/s,
    byTools: found('Atlantis service = "openai-agents-app"', { errors_only: true }),
    byApi: foundByApi('text contains "Atlantis" and service = "openai-agents-app"'),
  },
  {
    question: 'Which failure happens most?',
    answer: /The server had an error while processing your request/,
    byTools: (asker) => asker.ask('find_errors', { since: 'all', max_characters: 2_000 }),
    byApi: (asker) => asker.get('/v1/spans', { filter: 'status = ERROR', limit: '100' }),
  },
  {
    question: 'Which tool fails always?',
    answer: /book_table/,
    byTools: (asker) => asker.ask('cost_summary', { by: 'tool', since: 'all' }),
    byApi: (asker) => asker.get('/v1/spans', { filter: 'semantic_kind = tool', limit: '200' }),
  },
  {
    question: 'What did everything cost, and which model is the dearest?',
    answer: /gpt-4o-mini-2024-07-18/,
    byTools: (asker) => asker.ask('cost_summary', { by: 'model', since: 'all' }),
    byApi: (asker) => asker.get('/v1/spans', { filter: 'semantic_kind = llm', limit: '200' }),
  },
  {
    question: 'Which run cost most, and what was asked in it?',
    answer: /\$0\.1|0\.15/,
    byTools: (asker) => asker.ask('find_traces', { sort: 'cost', limit: 1 }),
    byApi: (asker) => asker.get('/v1/traces', { sort_by: 'cost', sort_order: 'desc', limit: '1' }),
  },
  {
    question: 'Which runs hit a rate limit?',
    answer: /Rate limit|rate limit/,
    byTools: (asker) => asker.ask('find_traces', { filter: 'error contains "Rate limit"' }),
    byApi: (asker) => asker.get('/v1/traces', { filter: 'error contains "Rate limit"' }),
  },
  {
    question: 'What differs between the weather run that failed and one that worked?',
    answer: /Atlantis.*Paris|Paris.*Atlantis/s,
    byTools: async (asker) => {
      const bad = await asker.ask('find_traces', { filter: 'Atlantis service = "openai-agents-app"', limit: 1 });
      const good = await asker.ask('find_traces', { filter: 'Paris Tokyo errors = 0 service = "openai-agents-app"', limit: 1 });
      return bad + good + (await asker.ask('compare_traces', { a: traceIn(good), b: traceIn(bad) }));
    },
    byApi: async (asker) => {
      const bad = await asker.get('/v1/traces', { filter: 'text contains "Atlantis" and service = "openai-agents-app"', limit: '1' });
      const good = await asker.get('/v1/traces', {
        filter: 'text contains "Tokyo" and errors = 0 and service = "openai-agents-app"',
        limit: '1',
      });
      const spans = await Promise.all([bad, good].map((list) => asker.get(`/v1/traces/${traceIn(list)}/spans`, { limit: '1000' })));
      return bad + good + spans.join('');
    },
  },
  {
    question: 'What was said in the session lm-sess?',
    answer: /Translate.*こんにちは/s,
    byTools: (asker) => asker.ask('show_session', { session_id: 'lm-sess' }),
    byApi: async (asker) => {
      const list = await asker.get('/v1/sessions/lm-sess/traces');
      return list + (await asker.get(`/v1/traces/${traceIn(list)}/spans`));
    },
  },
  {
    question: 'Which arguments did the tool get that found no table?',
    answer: /no table for.*(?:guests|party|date|persons|people|\d)/s,
    byTools: async (asker) => {
      const list = await asker.ask('find_traces', { filter: 'tool:book_table errors > 0', limit: 1 });
      const shown = await asker.ask('show_trace', { trace_id: traceIn(list), errors_only: true });
      const span_id = /tool ⟦book_table⟧ · ([0-9a-f]{16})/.exec(shown)?.[1] ?? '';
      return list + shown + (await asker.ask('show_span', { trace_id: traceIn(list), span_id, part: 'input' }));
    },
    byApi: async (asker) => {
      const list = await asker.get('/v1/traces', { filter: 'tool = book_table and errors > 0', limit: '1' });
      const spans = await asker.get(`/v1/traces/${traceIn(list)}/spans`, { limit: '1000' });
      const failed = (JSON.parse(spans) as { data: { id: string; status: string; name: string }[] }).data.find(({ name }) =>
        name.includes('book_table'),
      );
      return list + spans + (await asker.get(`/v1/traces/${traceIn(list)}/spans/${failed?.id}`));
    },
  },
  {
    question: 'What is in the largest trace, and did anything in it fail?',
    answer: /bulk/,
    byTools: async (asker) => {
      const list = await asker.ask('find_traces', { filter: 'spans > 500', limit: 1 });
      return list + (await asker.ask('show_trace', { trace_id: traceIn(list), max_characters: 4_000 }));
    },
    byApi: foundByApi('spans > 500'),
  },
];
