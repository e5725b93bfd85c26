/** Deleting traces, with everything that belongs to them. It cannot be undone. See docs/reference/durability.md#deletion. */
import { z } from 'zod';
import { one } from '../core/envelope.ts';
import { filterParameter } from '../core/filter-parameter.ts';
import { bookkeeping, milliseconds, text } from '../core/parameters.ts';
import { route } from '../core/route.ts';

export const deletedIdsMax = 1000;

const selection = {
  trace_ids: z.array(text.min(1, 'must not be empty').max(128)).min(1).max(deletedIdsMax).optional().meta({
    description: 'These traces. Not together with anything else but `dry_run`. Unknown ids are left out.',
  }),
  session_id: text.min(1, 'must not be empty').optional().meta({ description: 'The traces that have a span of this session.' }),
  user_id: text.min(1, 'must not be empty').optional().meta({ description: 'The traces that have a span of this user.' }),
  filter: filterParameter('traces'),
  name: text.optional().meta({ description: 'Name of the trace.' }),
  dataset_run_id: text.optional().meta({ description: 'Traces of this run over a dataset.' }),
  commit_sha: text.optional().meta({ description: 'Traces of this commit.' }),
  from: milliseconds.optional().meta({ description: 'Since the epoch, inclusive: the time that lists are ordered by.' }),
  to: milliseconds.optional().meta({ description: 'Since the epoch, exclusive.' }),
  environment: text.optional().meta({ description: 'Name of the environment.' }),
  all: z
    .literal(true)
    .optional()
    .meta({ description: 'Every trace that nothing else excludes. Required when no other condition is given.' }),
};

const request = z
  .strictObject({
    ...selection,
    bookkeeping: bookkeeping.meta({
      description:
        "Whether to delete traces of a coding agent's own runtime. By default they are kept, as lists leave them out, unless `trace_ids`, " +
        '`session_id` or `user_id` selects them.',
    }),
    dry_run: z.boolean().default(false).meta({ description: 'Count, and delete nothing.' }),
  })
  .superRefine(({ dry_run: _, bookkeeping: __, ...given }, context) => {
    const names = Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [name]));
    const refuse = (message: string) => context.addIssue({ code: 'custom', message, path: ['trace_ids'] });
    if (names.length === 0) refuse('nothing says which traces: give trace_ids, a condition, or all');
    if (given.trace_ids && names.length > 1) refuse(`not together with ${names.filter((name) => name !== 'trace_ids').join(', ')}`);
  });
export type DeletionRequest = z.output<typeof request>;

const deletion = z
  .object({
    id: z.string().nullable().meta({ description: 'Null when nothing is deleted.' }),
    state: z.enum(['dry_run', 'removing', 'erasing', 'done']).meta({
      description:
        '`dry_run`: nothing is deleted. `removing`: some of the traces may still be listed. `erasing`: no request finds anything of them; what ' +
        'they left in the file of the store is being overwritten. `done`: the file holds nothing of them.',
    }),
    traces: z.int().meta({ description: 'How many traces it deletes.' }),
    spans: z.int().meta({ description: 'How many spans they have.' }),
    removed_traces: z.int().meta({ description: 'How many of them are removed.' }),
    forwarded: z
      .array(
        z.object({
          name: z.string().meta({ description: 'The destination.' }),
          traces: z.int().meta({ description: 'How many of the traces.' }),
        }),
      )
      .meta({ description: 'How many of the traces were forwarded, in part or whole, to which destinations, where they stay.' }),
  })
  .meta({ id: 'TraceDeletion', description: 'A deletion of traces.' });
export type TraceDeletion = z.output<typeof deletion>;

const declare = { permission: 'trace.delete', touches: ['telemetry'], reply: one(deletion) } as const;

export const traceDeletions = {
  create: route({
    ...declare,
    id: 'delete-traces',
    method: 'POST',
    path: '/v1/trace-deletions',
    summary: 'Delete traces by id, session, user or filter, or count what would be deleted',
    tag: 'traces',
    body: request,
    errors: ['invalid_filter'],
  }),
  get: route({
    ...declare,
    id: 'get-trace-deletion',
    method: 'GET',
    path: '/v1/trace-deletions/:deletionId',
    summary: 'Read how far a deletion is',
    tag: 'traces',
    params: z.object({ deletionId: z.string().min(1) }),
    errors: ['trace_deletion_not_found'],
  }),
  removeTrace: route({
    ...declare,
    id: 'delete-trace',
    method: 'DELETE',
    path: '/v1/traces/:traceId',
    summary: 'Delete a trace',
    tag: 'traces',
    params: z.object({ traceId: z.string().min(1) }),
    errors: ['trace_not_found'],
  }),
  removeSession: route({
    ...declare,
    id: 'delete-session',
    method: 'DELETE',
    path: '/v1/sessions/:sessionId',
    summary: 'Delete all traces of a session',
    tag: 'sessions',
    params: z.object({ sessionId: z.string().min(1) }),
    errors: ['session_not_found'],
  }),
};
