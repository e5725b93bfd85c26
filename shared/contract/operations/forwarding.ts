/** What leaves this machine, to where, and how it stands. Of gateways on one's own machine only. */
import { z } from 'zod';
import { all, many, nothing, one } from '../core/envelope.ts';
import { limit, offset } from '../core/parameters.ts';
import { route } from '../core/route.ts';
import { destination, destinationChange, destinationName, newDestination } from './destination.ts';
import { traceForwarding, traceIds } from './trace-forwarding.ts';

/** One export holds no more: it is made in memory. */
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
/** Reads and wakes: nothing is written. */
const looksOnly = { touches: [] } as const;
const ofOne = { params: z.object({ name: destinationName }), errors: ['destination_not_found'] } as const;

export const forwarding = {
  list: route({
    ...declare,
    id: 'list-destinations',
    method: 'GET',
    path,
    summary: 'List where traces are forwarded to, and how each stands',
    permission: 'trace.read',
    reply: all(destination),
    errors: [],
  }),
  create: route({
    ...declare,
    id: 'create-destination',
    method: 'POST',
    path,
    summary: 'Forward to a cloud from now on, with a key that was made there. It is tried before anything is kept',
    body: newDestination,
    reply: one(destination),
    status: [201],
    errors: ['duplicate_destination_name', 'secrets_unavailable'],
  }),
  change: route({
    ...declare,
    ...ofOne,
    id: 'change-destination',
    method: 'PATCH',
    path: `${path}/:name`,
    summary: 'Pause or resume it, or change its address, key or what is hidden. A key is tried first',
    body: destinationChange,
    reply: one(destination),
    errors: ['destination_not_found', 'secrets_unavailable'],
  }),
  remove: route({
    ...declare,
    ...ofOne,
    id: 'remove-destination',
    method: 'DELETE',
    path: `${path}/:name`,
    summary: 'Forward there no more and forget its key. Traces stay here',
    reply: nothing,
    status: [204],
    errors: ['destination_not_found', 'secrets_unavailable'],
  }),
  retry: route({
    ...declare,
    ...ofOne,
    ...looksOnly,
    id: 'retry-destination',
    method: 'POST',
    path: `${path}/:name/retry`,
    summary: 'Try again now, whatever it waits for',
    reply: one(destination),
    errors: ['destination_not_found', 'storage_unavailable'],
  }),
  deadLetters: route({
    ...declare,
    ...ofOne,
    id: 'list-dead-letters',
    method: 'GET',
    path: `${path}/:name/dead-letters`,
    summary: 'List what cannot be sent there, the last first',
    permission: 'trace.read',
    query: z.object({ limit: limit(50, 1000), offset }),
    reply: many(deadLetters),
  }),
  exportDeadLetters: route({
    ...declare,
    ...ofOne,
    id: 'export-dead-letters',
    method: 'GET',
    path: `${path}/:name/dead-letters/otlp`,
    summary: 'Read the spans that cannot be sent there as OTLP/JSON, a request in each line',
    permission: 'span.read',
    reply: z.string(),
    wire: 'bytes',
  }),
  retryDeadLetters: route({
    ...declare,
    ...ofOne,
    id: 'retry-dead-letters',
    method: 'POST',
    path: `${path}/:name/dead-letters/retry`,
    summary: 'Retry the dead letters, behind all other messages',
    reply: one(destination),
  }),
  traces: route({
    ...declare,
    ...ofOne,
    id: 'forward-traces',
    method: 'POST',
    path: `${path}/:name/traces`,
    summary: 'Forward all of these traces, with log records and scores, whatever was sent before',
    body: traceIds,
    reply: all(traceForwarding),
  }),
  states: route({
    ...declare,
    ...looksOnly,
    id: 'trace-forwarding',
    method: 'POST',
    path: '/v1/viewer/forwarding-states',
    summary: 'Say how these traces stand at each destination. Unknown ones are left out',
    permission: 'trace.read',
    body: traceIds,
    reply: all(traceForwarding),
    errors: ['storage_unavailable'],
  }),
};
