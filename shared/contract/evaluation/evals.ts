import { z } from 'zod';
import { bodyLimits } from '../core/body-limit.ts';
import { one } from '../core/envelope.ts';
import { bounded, objectUpToKiB, text } from '../core/parameters.ts';
import { route } from '../core/route.ts';

const card = objectUpToKiB(1024);
const moment = z.iso.datetime();
const dollars = z.number().min(0);

export const evalRun = z
  .object({
    id: z.string(),
    status: z.enum(['queued', 'running', 'succeeded', 'failed']),
    app_id: z.string(),
    card: card.nullable(),
    cost_usd: z.number().nullable(),
    error: z.string().nullable(),
    created_at: moment,
    claimed_at: moment.nullable(),
    completed_at: moment.nullable(),
  })
  .meta({ id: 'EvalRun' });

/** The status may be left out: then an error fails the run, a card completes it, and neither of them claims it. */
const statusReport = z
  .object({
    card: card.optional(),
    costUsd: dollars.optional(),
    error: bounded(0, 10_000).optional(),
    status: z.enum(['running', 'succeeded', 'failed']).optional(),
  })
  .check(({ value, issues }) => {
    const refuse = (needed: string) =>
      issues.push({ code: 'custom', input: value, path: ['status'], message: `${value.status} needs ${needed}` });
    if (value.status === 'succeeded' && value.card === undefined) refuse('a card');
    if (value.status === 'failed' && value.error === undefined) refuse('an error');
  });

export const trial = z
  .object({
    task_id: text.min(1).max(255),
    trial_index: z.int().min(0).default(0),
    status: z.enum(['passed', 'failed', 'error']),
    score: z.number().optional(),
    trace_id: text.max(128).optional(),
    duration_ms: z.number().min(0).optional(),
    cost_usd: dollars.optional(),
    error: text.max(10_000).optional(),
    metadata: objectUpToKiB(16).optional(),
  })
  .meta({ id: 'EvalTrial', description: 'Replaces an earlier trial of the same task and index.' });

export const escalation = z
  .object({
    attempts: z.int().min(0).max(1000),
    task_ids: z.array(text.min(1).max(255)).max(200),
    base_commit: text.max(64).optional(),
    cost_usd: dollars.max(1e6).optional(),
    last_errors: z.array(objectUpToKiB(16)).max(50).optional(),
    repo: text.max(255).optional(),
    suggested_next_steps: text.max(10_000).optional(),
  })
  .meta({ id: 'Escalation', description: 'The run it belongs to follows from the key, never from the body.' });

/** An escalation as it is stored, with its run and time. */
export const storedEscalation = z
  .object({ id: z.uuid(), run_id: z.string().nullable(), ...escalation.shape, created_at: moment })
  .meta({ id: 'KeptEscalation' });

export const runPath = z.object({ runId: z.string().min(1) });
const declare = { tag: 'evals', only: 'cloud', touches: ['control'] } as const;

export const evals = {
  escalate: route({
    ...declare,
    id: 'create-eval-escalation',
    method: 'POST',
    path: '/v1/evals/escalations',
    summary: 'Record that the attempts to repair an environment are used up',
    permission: 'eval.write',
    bodyMax: bodyLimits.maximum / 2, // Fifty errors of 16 KiB of characters, which may take several bytes each.
    body: escalation,
    reply: one(storedEscalation),
    status: [201],
    errors: [],
  }),
  createRun: route({
    ...declare,
    id: 'create-eval-run',
    method: 'POST',
    path: '/v1/evals/runs',
    summary: 'Create a run and its key, which expires with the run',
    permission: 'eval.write',
    runKeyAccess: 'nothing',
    body: z.object({
      name: bounded(1, 255).optional(),
      experiment_key: text.max(1000).optional(),
      metadata: objectUpToKiB(16).optional(),
    }),
    reply: one(evalRun.extend({ plaintext_key: z.string() })),
    status: [201],
    errors: [],
  }),
  getRun: route({
    ...declare,
    id: 'get-eval-run',
    method: 'GET',
    path: '/v1/evals/runs/:runId',
    summary: 'Read one run',
    permission: 'eval.read',
    runKeyAccess: 'own',
    params: runPath,
    reply: one(evalRun),
    errors: ['eval_run_not_found'],
  }),
  reportStatus: route({
    ...declare,
    id: 'report-eval-run-status',
    method: 'POST',
    path: '/v1/evals/runs/:runId/status',
    summary: 'Claim, complete or fail a run',
    permission: 'eval.write',
    runKeyAccess: 'own',
    params: runPath,
    bodyMax: bodyLimits.maximum / 2, // A card of 1 MiB of characters, which may take several bytes each.
    body: statusReport,
    reply: one(z.object({ run_id: z.string(), status: evalRun.shape.status })),
    errors: ['eval_run_not_found', 'run_already_terminal'],
  }),
  addTrials: route({
    ...declare,
    id: 'ingest-eval-trials',
    method: 'POST',
    path: '/v1/evals/runs/:runId/trials',
    summary: 'Store results of trials',
    permission: 'eval.write',
    runKeyAccess: 'own',
    params: runPath,
    bodyMax: bodyLimits.maximum, // Five hundred trials, each with 16 KiB of metadata and a long error.
    body: z.object({ trials: z.array(trial).min(1, 'must not be empty').max(500, 'must not be longer than 500') }),
    reply: one(z.object({ added: z.int(), updated: z.int() })),
    status: [201],
    errors: ['eval_run_not_found', 'run_already_terminal'],
  }),
};
