import { platform } from '../../../shared/contract/core/platform.ts';
import { pricing } from '../../../shared/contract/core/pricing.ts';
import { dependencyHealth } from '../../../shared/contract/operations/dependency-health.ts';
import { notesOn } from '../note.ts';

const health = { status: 'healthy', timestamp: '2026-01-15T10:30:00.000Z' } as const;

export const platformNotes = {
  ...notesOn(platform, {
    health: {
      description: 'Answers as soon as the gateway accepts requests, without checking any store. For load balancers and start scripts.',
      reply: { status: 'ok' },
    },
    capabilities: {
      description:
        'Whether this is a local or a cloud gateway, which groups of operations it serves, and which limits it enforces. ' +
        'A client that works with both reads this once, and hides what is not supported.',
      reply: {
        target: 'local',
        url: 'http://localhost:9418',
        endpoints: { traces: true, spans: true, sessions: true, scores: true, metrics: false },
        instance: '6f1d8c1e-7b0a-4d53-b0b1-1d7f8f6f0f5b',
        version: '0.1.0',
        limits: { bodyBytesMax: 20_971_520 },
      },
    },
    openapi: {
      description:
        'This document, with the address of the request as its server. It is compressed for clients that accept `br` or `gzip`, and has an ' +
        '`ETag`: sent back in `If-None-Match`, it is answered with 304 until the gateway is updated.',
      query: { all: '1' },
      reply: { openapi: '3.1.0' },
    },
    agentGuide: {
      description:
        'Plain text in Markdown, with the address of this gateway filled in: how to make a program send its traces, which tools `/mcp` has, ' +
        'how filters are written, and how to find out why a run failed.',
    },
  }),
  ...notesOn(pricing, {
    list: {
      description:
        'The prices that costs are computed from, in US dollars per 1000 tokens: the list that comes with the gateway, overridden by the ' +
        'entries of `prices.json`. Models without a price are not in it. The answer has no envelope and may be cached for a day.',
      reply: {
        'gpt-4o': { promptPrice: 0.0025, completionPrice: 0.01, cacheReadPrice: 0.00125 },
        'claude-sonnet-4-5': { promptPrice: 0.003, completionPrice: 0.015, cacheReadPrice: 0.0003, cacheWritePrice: 0.00375 },
      },
    },
  }),
  ...notesOn(dependencyHealth, {
    ingestion: {
      description:
        'Whether telemetry can be ingested: the state of each dependency of ingestion. `unhealthy` is answered with 503 and this ' +
        'same body, so that a load balancer needs only the status. No envelope.',
      reply: { ...health, service: 'ingestion', dependencies: [{ name: 'database', status: 'healthy', latencyMs: 2 }] },
    },
    files: {
      description:
        'Whether templates and datasets can be read: the state of each dependency of the file service. `unhealthy` is answered ' +
        'with 503 and this same body. No envelope.',
      reply: { ...health, service: 'files', dependencies: [{ name: 'storage', status: 'healthy', latencyMs: 1 }] },
    },
    ready: {
      description:
        'Whether a load balancer should send requests here: 503 and this same body while the control store cannot be used, and from the ' +
        'moment that the gateway shuts down. `GET /health` says whether the process lives, whatever its database does. No envelope.',
      reply: {
        ...health,
        service: 'gateway',
        dependencies: [{ name: 'database', status: 'healthy', latencyMs: 1 }],
        instance: '0b7c9a52-1f0e-4f5c-9a3e-4f1d2c3b4a59',
      },
    },
  }),
};
