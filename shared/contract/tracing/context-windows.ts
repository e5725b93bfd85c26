/** What fills the context windows of a trace, call by call, and where the prompt cache broke. */
import { z } from 'zod';
import { one } from '../core/envelope.ts';
import { route } from '../core/route.ts';
import { partOrigins, promptChanges, promptStates } from './context-terms.ts';

const partIds = z.array(z.int());

const contextPart = z
  .object({
    origin: z.enum(partOrigins),
    name: z.string().meta({ description: 'The tool, the file or the type of media; empty without one.' }),
    label: z.string().meta({ description: 'Its beginning in one line of at most 160 characters.' }),
    items: z.int().meta({ description: 'How many tools are defined in it; 1 for other parts.' }),
    bytes: z.int().meta({ description: 'Its text in UTF-8. Bytes of media are not counted, only their reference.' }),
    characters: z.int(),
    tokens: z.int().meta({ description: 'Estimate: its share of the input tokens of the last call that it was part of.' }),
    entered: z.int().meta({ description: 'Index of the first call that it was part of.' }),
    calls: z.int().meta({ description: 'How many calls it was part of.' }),
    cost: z.number().nullable().meta({ description: 'What it cost in all these calls, by its share of the tokens; null without a price.' }),
  })
  .meta({ id: 'ContextPart', description: 'A part of the prompts of one window. Its id is its index; the same text twice is two parts.' });
export type ContextPart = z.output<typeof contextPart>;

const changedText = z
  .object({
    line: z.int().meta({ description: 'Line of the part, from 1.' }),
    character: z.int().meta({ description: 'Character of the part, from 1.' }),
    head: z.string().meta({ description: 'The text before the change, from at most two lines before it.' }),
    removed: z.string(),
    added: z.string(),
    tail: z.string().meta({ description: 'The text after the change, which is the same in both.' }),
    is_cut: z.boolean().meta({ description: 'Whether what was removed or added is longer than shown.' }),
  })
  .meta({ id: 'ChangedText', description: 'The words that changed, and the text around them. Each text has at most 300 characters.' });
export type ChangedText = z.output<typeof changedText>;

const promptDivergence = z
  .object({
    change: z.enum(promptChanges),
    before: z.int().nullable().meta({ description: 'The part that stood there in the call before; null for a change of the model.' }),
    after: z.int().nullable().meta({ description: 'The part that stands there now; null at the end of the prompt.' }),
    byte: z.int().meta({ description: 'How many bytes of the prompt are the same as before.' }),
    text: changedText.nullable().meta({ description: 'Where in the part; null unless one part was rewritten.' }),
  })
  .meta({ id: 'PromptDivergence', description: 'The first place at which a prompt differs from the one before it.' });
export type PromptDivergence = z.output<typeof promptDivergence>;

const cacheLoss = z
  .object({
    tokens: z.int().meta({ description: 'Tokens that were cached and sent again, but were not read from the cache.' }),
    is_estimate: z
      .boolean()
      .meta({ description: 'Whether shares of parts entered into it; otherwise it is a difference of reported counts.' }),
    cost: z.number().nullable().meta({ description: 'What they cost more than cached tokens; null without a price.' }),
    pause_ms: z.number().meta({ description: 'From the end of the call before to the start of this one: a cache also expires.' }),
  })
  .meta({ id: 'CacheLoss' });
export type CacheLoss = z.output<typeof cacheLoss>;

const contextCall = z
  .object({
    span_id: z.string(),
    model: z.string(),
    start_ms: z.number().meta({ description: 'Since the start of the trace.' }),
    duration_ms: z.number(),
    first_token_ms: z.number().nullable(),
    is_failed: z.boolean(),
    is_running: z.boolean(),
    input_tokens: z.int().nullable().meta({ description: 'As reported, with cached tokens; null when not reported.' }),
    output_tokens: z.int().nullable(),
    cached_tokens: z.int().nullable().meta({ description: 'Input tokens read from the cache; null when not reported.' }),
    cache_written_tokens: z.int().nullable(),
    cost: z.number().nullable(),
    prompt: z.enum(promptStates),
    compared_with: z.int().nullable().meta({ description: 'Index of the call before it in this window; null for the first.' }),
    parts: partIds.meta({ description: 'In the order in which they stand in the prompt. Those that did not enter stayed.' }),
    tokens: z.array(z.int()).meta({
      description: 'Estimate of the tokens of each of `parts`. With `other_tokens` they add up to `input_tokens` where that was reported.',
    }),
    other_tokens: z.int().meta({ description: 'Input tokens of which no text was recorded, such as tool definitions.' }),
    entered: partIds,
    dropped: partIds,
    rewritten: z.array(z.object({ from: z.int(), to: z.int() })).meta({
      description: 'Parts that changed in place. `from` is one of the dropped parts, `to` one of those that entered.',
    }),
    summary: z.int().nullable().meta({ description: 'The part that entered in place of dropped ones, as their summary.' }),
    divergence: promptDivergence.nullable().meta({ description: 'Null when the prompt begins with the whole prompt of the call before.' }),
    cache_loss: cacheLoss.nullable().meta({
      description:
        'The cache broke: fewer tokens were read from it than the call before had left there. `divergence` says why, if the prompt does.',
    }),
  })
  .meta({ id: 'ContextCall' });
export type ContextCall = z.output<typeof contextCall>;

const contextWindow = z
  .object({
    agent_id: z
      .string()
      .nullable()
      .meta({ description: 'Span of the agent, or of the tool that calls the model by itself; null when none was recorded.' }),
    agent: z.string().meta({ description: 'Its name; empty when none is known.' }),
    model: z.string().meta({ description: 'The model of most calls.' }),
    limit_tokens: z.int().nullable().meta({ description: 'The context window of the model; null when it is not known.' }),
    cost: z.number().meta({ description: 'Of all calls whose cost is known.' }),
    peak: z.int().meta({ description: 'Index of the call with the longest prompt.' }),
    usual_first_token_ms: z.number().nullable().meta({ description: 'Median of the calls whose cache held; null when none was reported.' }),
    parts: z.array(contextPart),
    calls: z.array(contextCall),
  })
  .meta({ id: 'ContextWindow', description: 'Calls of one agent, each of which continues the prompt of the one before.' });
export type ContextWindow = z.output<typeof contextWindow>;

const traceWindows = z
  .object({
    windows: z.array(contextWindow).meta({ description: 'By their first call.' }),
    is_whole: z.boolean().meta({ description: 'Whether all calls of the trace are in it; otherwise the first.' }),
  })
  .meta({ id: 'ContextWindows' });
export type ContextWindows = z.output<typeof traceWindows>;

export const contextWindows = {
  find: route({
    id: 'viewer-trace-context',
    method: 'GET',
    path: '/v1/viewer/traces/:traceId/context',
    summary: 'Read what fills the context windows of a trace, call by call, and where the prompt cache broke',
    tag: 'viewer',
    touches: ['telemetry'],
    permission: 'trace.read',
    params: z.object({ traceId: z.string().min(1) }),
    reply: one(traceWindows),
    errors: ['trace_not_found'],
  }),
};
