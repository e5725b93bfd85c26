/** Forwarding: destinations, their state and dead letters. Local gateways only. */
import { z } from 'zod';
import { all, many, nothing, one } from '../core/envelope.ts';
import { limit, offset } from '../core/parameters.ts';
import { route } from '../core/route.ts';
import { destination, destinationChange, destinationName, newDestination } from './destination.ts';
import { traceForwarding, traceIds } from './trace-forwarding.ts';

/** Maximum for one export, because it is built in memory. */
export const deadLetterLinesMax = 1000;

const deadLetters = z
  .object({
    kind: z.enum(['spans', 'logs', 'scores']),
    trace_id: z.string().nullable(),
    name: z.string(),
    reason: z.string(),
    failed_at: z.iso.datetime(),
  })
  .meta({ id: 'DeadLetterItem', description: 'A message that the destination refused for good.' });

const declare = { tag: 'forwarding', touches: ['telemetry'], only: 'local', permission: 'trace.write' } as const;
const path = '/v1/viewer/forwarding';
/** These only read, or wake the sender; nothing is written. */
const writesNothing = { touches: [] } as const;
const byName = { params: z.object({ name: destinationName }), errors: ['destination_not_found'] } as const;

export const forwarding = {
  list: route({
    ...declare,
    id: 'list-destinations',
    method: 'GET',
    path,
    summary: 'List the destinations with their state',
    permission: 'trace.read',
    reply: all(destination),
    errors: [],
  }),
  create: route({
    ...declare,
    id: 'create-destination',
    method: 'POST',
    path,
    summary: 'Add a destination with a key that was created there. The key is tried before anything is stored',
    body: newDestination,
    reply: one(destination),
    status: [201],
    errors: ['duplicate_destination_name', 'secrets_unavailable'],
  }),
  change: route({
    ...declare,
    ...byName,
    id: 'change-destination',
    method: 'PATCH',
    path: `${path}/:name`,
    summary: 'Pause or resume a destination, or change its address, key or redaction rules. A key is tried first',
    body: destinationChange,
    reply: one(destination),
    errors: ['destination_not_found', 'secrets_unavailable'],
  }),
  remove: route({
    ...declare,
    ...byName,
    id: 'remove-destination',
    method: 'DELETE',
    path: `${path}/:name`,
    summary: 'Delete a destination and its key. Traces stay here',
    reply: nothing,
    status: [204],
    errors: ['destination_not_found', 'secrets_unavailable'],
  }),
  retry: route({
    ...declare,
    ...byName,
    ...writesNothing,
    id: 'retry-destination',
    method: 'POST',
    path: `${path}/:name/retry`,
    summary: 'Retry now, whatever the destination waits for',
    reply: one(destination),
    errors: ['destination_not_found', 'storage_unavailable'],
  }),
  deadLetters: route({
    ...declare,
    ...byName,
    id: 'list-dead-letters',
    method: 'GET',
    path: `${path}/:name/dead-letters`,
    summary: 'List the dead letters of a destination, newest first',
    permission: 'trace.read',
    query: z.object({ limit: limit(50, 1000), offset }),
    reply: many(deadLetters),
  }),
  exportDeadLetters: route({
    ...declare,
    ...byName,
    id: 'export-dead-letters',
    method: 'GET',
    path: `${path}/:name/dead-letters/otlp`,
    summary: 'Export the spans among the dead letters as OTLP/JSON, one request per line',
    permission: 'span.read',
    reply: z.string(),
    wire: 'bytes',
  }),
  retryDeadLetters: route({
    ...declare,
    ...byName,
    id: 'retry-dead-letters',
    method: 'POST',
    path: `${path}/:name/dead-letters/retry`,
    summary: 'Retry the dead letters, behind all other messages',
    reply: one(destination),
  }),
  traces: route({
    ...declare,
    ...byName,
    id: 'forward-traces',
    method: 'POST',
    path: `${path}/:name/traces`,
    summary: 'Forward these whole traces with log records and scores, even if they were sent before',
    body: traceIds,
    reply: all(traceForwarding),
  }),
  states: route({
    ...declare,
    ...writesNothing,
    id: 'trace-forwarding',
    method: 'POST',
    path: '/v1/viewer/forwarding-states',
    summary: 'Read the forwarding status of traces at each destination. Unknown traces are left out',
    permission: 'trace.read',
    body: traceIds,
    reply: all(traceForwarding),
    errors: ['storage_unavailable'],
  }),
};
