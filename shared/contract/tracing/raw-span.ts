/** The raw truth of one span, what was read from it, and why: the shapes behind the viewer's raw tab. */
import { z } from 'zod';

/** A span exactly as its sender described it, in OTLP/JSON spelling. */
export const rawSpan = z
  .object({
    resource: z.looseObject({}),
    scope: z.looseObject({}),
    span: z.looseObject({}),
    logs: z.array(z.looseObject({})).meta({ description: 'Log records that came for the span on /v1/logs.' }),
    received_at: z.iso.datetime(),
    warnings: z.array(z.string()),
    provenance: z
      .record(z.string(), z.string())
      .meta({ description: 'The source of each normalised value: `model` ← `gen_ai.response.model`.' }),
    values: z
      .record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
      .meta({ description: 'Normalised values, under the names of `provenance`. Unknown values are absent.' }),
    tool_definitions: z.string().meta({ description: 'JSON text of the tools that were offered, or empty.' }),
    output_messages: z
      .string()
      .meta({ description: 'JSON text of the answer as messages, with reasoning and media references; empty when it is no conversation.' }),
  })
  .meta({ id: 'RawSpan', description: 'The raw truth: resource, scope and span as received, as OTLP/JSON.' });
export type RawSpanReply = z.output<typeof rawSpan>;

/** What a model costs today, and which row of the price list says so. US dollars per million tokens. */
export const matchedPrice = z
  .object({
    matched: z.string().meta({ description: '`openai/gpt-4o`.' }),
    estimated: z.boolean().meta({ description: 'The price is right in size, but had to be guessed.' }),
    input: z.number(),
    output: z.number(),
    cache_read: z.number().optional(),
    cache_write: z.number().optional(),
    reasoning: z.number().optional(),
    tier_above: z.number().optional().meta({ description: 'Requests with more input tokens than this are billed at another rate.' }),
  })
  .meta({ id: 'MatchedPrice' });
export type MatchedPrice = z.output<typeof matchedPrice>;
