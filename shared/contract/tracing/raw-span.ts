/** One span as received, its normalised values and their sources: the schemas behind the viewer's raw tab. */
import { z } from 'zod';

/** A span exactly as its sender described it, in OTLP/JSON spelling. */
export const rawSpan = z
  .object({
    resource: z.looseObject({}),
    scope: z.looseObject({}),
    span: z.looseObject({}),
    logs: z.array(z.looseObject({})).meta({ description: 'Log records of the span, received on /v1/logs.' }),
    received_at: z.iso.datetime(),
    warnings: z.array(z.string()),
    provenance: z
      .record(z.string(), z.string())
      .meta({ description: 'The source of each normalised value: `model` ← `gen_ai.response.model`.' }),
    values: z
      .record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
      .meta({ description: 'Normalised values, under the names of `provenance`. Unknown values are absent.' }),
    tool_definitions: z.string().meta({ description: 'JSON text of the tools that were offered, or empty.' }),
    output_messages: z.string().meta({
      description: 'JSON text of the output as messages, with reasoning and media references; empty when it is not a conversation.',
    }),
  })
  .meta({ id: 'RawSpan', description: 'A span as received: its resource, its scope and the span itself, as OTLP/JSON.' });
export type RawSpanReply = z.output<typeof rawSpan>;

/** What a model costs today, and the row of the price list that was matched. US dollars per million tokens. */
export const matchedPrice = z
  .object({
    matched: z.string().meta({ description: '`openai/gpt-4o`.' }),
    estimated: z.boolean().meta({ description: 'The price is an estimate of the right order of magnitude.' }),
    input: z.number(),
    output: z.number(),
    cache_read: z.number().optional(),
    cache_write: z.number().optional(),
    reasoning: z.number().optional(),
    tier_above: z.number().optional().meta({ description: 'Requests with more input tokens than this are billed at another rate.' }),
  })
  .meta({ id: 'MatchedPrice' });
export type MatchedPrice = z.output<typeof matchedPrice>;
