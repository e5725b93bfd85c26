/** Two runs, step by step. */
import { z } from 'zod';
import { one } from '../core/envelope.ts';
import { route } from '../core/route.ts';
import { differences } from './comparison-terms.ts';
import { semanticKinds } from './semantic-kinds.ts';
import { spanStatus } from './spans.ts';

export const comparedRun = z
  .object({
    id: z.string(),
    name: z.string(),
    status: spanStatus,
    is_running: z.boolean(),
    start: z.iso.datetime(),
    duration_ms: z.number(),
    tokens: z.int(),
    cost: z.number(),
    errors: z.int().meta({ description: 'Spans that failed.' }),
    tool_calls: z.int(),
    model_calls: z.int(),
    prompts: z.array(z.string()).meta({ description: 'Names of the prompts that it used.' }),
    steps: z.int().meta({ description: 'Steps that were compared: all of them, or the first of a long run.' }),
  })
  .meta({ id: 'ComparedRun' });
export type ComparedRun = z.output<typeof comparedRun>;

const comparedStep = z
  .object({
    span_id: z.string(),
    kind: z.enum(semanticKinds),
    name: z.string().meta({ description: 'The tool, agent or model.' }),
    agent: z.string().meta({ description: 'The agent that took the step; empty if none is known.' }),
    phase: z.enum(['whole', 'start', 'end']).meta({
      description: 'A span with steps below it is two steps: what it was asked, and what it answered.',
    }),
    failed_attempts: z.int().meta({ description: 'Attempts at the same call before it.' }),
    text: z.string().meta({ description: 'What it was asked or what it answered, in at most 160 characters.' }),
    start_ms: z.number().meta({ description: 'Since the start of the run.' }),
    duration_ms: z.number(),
    tokens: z.int(),
    cost: z.number(),
    is_failed: z.boolean(),
    is_running: z.boolean(),
  })
  .meta({ id: 'ComparedStep' });
export type ComparedStep = z.output<typeof comparedStep>;

const stepPair = z
  .object({
    a: comparedStep.nullable(),
    b: comparedStep.nullable(),
    differences: z.array(z.enum(differences)).meta({ description: 'Empty for equal steps. The first explains the others.' }),
  })
  .meta({ id: 'StepPair', description: 'The same step of both runs, or a step that only one of them took.' });
export type StepPair = z.output<typeof stepPair>;

const comparison = z
  .object({
    a: comparedRun,
    b: comparedRun,
    pairs: z.array(stepPair),
    divergence: z
      .int()
      .nullable()
      .meta({ description: 'Index of the first pair that differs; null when the runs are equal as far as they have got.' }),
    is_whole: z.boolean().meta({ description: 'Whether all steps were compared; otherwise the first of each run.' }),
  })
  .meta({ id: 'Comparison' });
export type Comparison = z.output<typeof comparison>;

const query = z.object({ a: z.string().min(1), b: z.string().min(1) });
export type ComparisonQuery = z.output<typeof query>;

export const comparisons = {
  find: route({
    id: 'viewer-compare',
    method: 'GET',
    path: '/v1/viewer/compare',
    summary: 'Compare two traces step by step, and find where they diverge',
    tag: 'viewer',
    touches: ['telemetry'],
    permission: 'trace.read',
    query,
    reply: one(comparison),
    errors: ['trace_not_found'],
  }),
};
