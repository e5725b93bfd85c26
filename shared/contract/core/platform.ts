import { z } from 'zod';
import { damaged } from './damaged.ts';
import { route } from './route.ts';

export const health = z.object({ status: z.literal('ok') }).meta({ id: 'Health' });

/** The ports beside its own on which a gateway takes OTLP and nothing else; null where it does not. */
export const otlpPorts = z.object({ grpc: z.int().nullable(), http: z.int().nullable() }).meta({
  id: 'OtlpPorts',
  description:
    'Ports that take OTLP and nothing else: by gRPC (4317 by convention) and by HTTP (4318). Null where the gateway does not listen.',
});
export type OtlpPorts = z.output<typeof otlpPorts>;

export const capabilities = z
  .object({
    target: z.enum(['local', 'cloud']),
    url: z.string(),
    endpoints: z.record(z.string(), z.boolean()),
    instance: z
      .string()
      .meta({ description: 'Identifies this running gateway, so that a client notices when another one answers. Additive.' }),
    version: z.string(),
    installation: z
      .string()
      .optional()
      .meta({ description: 'Identifies its store for as long as that exists. Only on gateways that forward. Additive.' }),
    forwards_to: z
      .array(z.string())
      .optional()
      .meta({ description: 'The installations that traces are forwarded to, so that a forwarding loop can be refused. Additive.' }),
    damaged: damaged.optional(),
    otlp_ports: otlpPorts.optional().meta({ description: 'Additive.' }),
    sign_in_provider: z
      .string()
      .optional()
      .meta({ description: 'Host of the identity provider that people sign in with, if there is one. Additive.' }),
    limits: z.record(z.string(), z.number()).meta({ description: 'Bytes, counts and milliseconds that the gateway enforces. Additive.' }),
  })
  .meta({ id: 'Capabilities', description: 'What this server supports, computed from its mounted routes.' });
export type Capabilities = z.output<typeof capabilities>;

export const platform = {
  health: route({
    id: 'get-health',
    method: 'GET',
    path: '/health',
    summary: 'Check that the process responds',
    tag: 'platform',
    permission: 'public',
    reply: health,
    errors: [],
  }),
  capabilities: route({
    id: 'get-capabilities',
    method: 'GET',
    path: '/v1/capabilities',
    summary: 'Probe which features this server supports',
    tag: 'platform',
    permission: 'public',
    reply: capabilities,
    errors: [],
  }),
  openapi: route({
    id: 'get-openapi',
    method: 'GET',
    path: '/v1/openapi.json',
    summary: 'Read this contract as OpenAPI 3.1',
    tag: 'platform',
    permission: 'public',
    query: z.object({ all: z.literal('1').optional() }),
    reply: z.looseObject({ openapi: z.string() }),
    status: [200, 304],
    errors: [],
    cache: 'no-cache',
  }),
  agentGuide: route({
    id: 'get-agent-guide',
    method: 'GET',
    path: '/llms.txt',
    summary: 'Read what a coding agent should know to instrument a program and to read its traces',
    tag: 'platform',
    permission: 'public',
    reply: z.string(),
    errors: [],
    wire: 'bytes',
  }),
};
