import { z } from 'zod';
import { route } from '../core/route.ts';

const state = z.enum(['healthy', 'degraded', 'unhealthy']);

const healthOf = (service: 'ingestion' | 'files' | 'gateway') =>
  z.object({
    status: state,
    timestamp: z.iso.datetime(),
    service: z.literal(service),
    dependencies: z.array(z.object({ name: z.string(), status: state, latencyMs: z.number().optional(), error: z.string().optional() })),
  });

/** An unhealthy service answers 503 with the same body, without an envelope. */
const declare = { method: 'GET', tag: 'platform', permission: 'public', status: [200, 503], errors: [], only: 'cloud' } as const;

export const dependencyHealth = {
  ingestion: route({
    ...declare,
    id: 'get-ingestion-health',
    path: '/v1/health/ingestion',
    summary: 'Read the health of ingestion and its dependencies',
    reply: healthOf('ingestion'),
  }),
  files: route({
    ...declare,
    id: 'get-files-health',
    path: '/v1/health/files',
    summary: 'Read the health of the file service and its dependencies',
    reply: healthOf('files'),
  }),
  ready: route({
    ...declare,
    id: 'get-readiness',
    path: '/ready',
    summary: 'Check whether the gateway should get requests',
    reply: healthOf('gateway').extend({ instance: z.string() }),
  }),
};
