import { z } from 'zod';
import { route } from '../core/route.ts';

const state = z.enum(['healthy', 'degraded', 'unhealthy']);

const healthOf = (service: 'ingestion' | 'files') =>
  z.object({
    status: state,
    timestamp: z.iso.datetime(),
    service: z.literal(service),
    dependencies: z.array(z.object({ name: z.string(), status: state, latencyMs: z.number().optional(), error: z.string().optional() })),
  });

/** What is unhealthy answers 503 with the same body, without an envelope. */
const declare = { method: 'GET', tag: 'platform', permission: 'public', status: [200, 503], errors: [], only: 'cloud' } as const;

export const dependencyHealth = {
  ingestion: route({
    ...declare,
    id: 'get-ingestion-health',
    path: '/v1/health/ingestion',
    summary: 'Say how ingestion and what it depends on are doing',
    reply: healthOf('ingestion'),
  }),
  files: route({
    ...declare,
    id: 'get-files-health',
    path: '/v1/health/files',
    summary: 'Say how the file service and what it depends on are doing',
    reply: healthOf('files'),
  }),
};
