import { z } from 'zod';
import { many } from '../core/envelope.ts';
import { limit, offset } from '../core/parameters.ts';
import { route } from '../core/route.ts';
import { traceItem } from './traces.ts';

export const runTraces = {
  list: route({
    id: 'list-run-traces',
    method: 'GET',
    path: '/v1/runs/:runId/traces',
    summary: 'List the traces of a dataset run',
    tag: 'traces',
    permission: 'trace.read',
    params: z.object({ runId: z.string().min(1) }),
    query: z.object({ limit: limit(50, 1000), offset }),
    reply: many(traceItem),
    touches: ['telemetry'],
    errors: [],
    only: 'local',
    deprecated: { use: '/v1/traces?dataset_run_id={runId}' },
  }),
};
