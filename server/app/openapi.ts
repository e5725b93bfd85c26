/** The contract as OpenAPI 3.1, from the same values that validate requests. The result is checked in as docs/openapi.json. */

import { z } from 'zod';
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject } from 'zod-openapi';
import { type ErrorCode, errorStatus } from '../../shared/contract/errors.ts';
import { contract } from '../../shared/contract/index.ts';
import type { Route } from '../../shared/contract/route.ts';
import { protobufTypes } from './otlp-status.ts';

const errorBody = z
  .object({
    error: z.looseObject({
      code: z.string().meta({ description: 'snake_case; what programs test.' }),
      message: z.string().meta({ description: 'For people.' }),
      details: z.record(z.string(), z.string()).optional(),
      retry_after_seconds: z.int().optional(),
    }),
  })
  .meta({ id: 'Error', description: 'Every error answer has this shape.' });

export const everyRoute: Route[] = Object.values(contract).flatMap((group) => Object.values(group) as Route[]);

/** @param url the server's own address */
export function describeApi(url = 'http://localhost:9418'): object {
  const paths: ZodOpenApiPathsObject = {};
  for (const route of everyRoute.filter(({ undocumented }) => !undocumented)) {
    const path = route.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(route) };
  }
  return createDocument({
    openapi: '3.1.0',
    info: {
      title: 'Glasshouse gateway',
      version: '1.0',
      description: 'Observability for LLM and agent applications. The same contract on a developer’s machine and in the cloud.',
    },
    servers: [{ url }],
    paths,
  });
}

/** The codes a route can answer: its own and those that follow from its shape. */
export function codesOf(route: Route): ErrorCode[] {
  const shape: ErrorCode[] = [];
  if (route.params) shape.push('invalid_path_params');
  if (route.query) shape.push('invalid_query_params');
  if (route.body && route.wire !== 'otlp') shape.push('invalid_request_body', 'payload_too_large', 'unsupported_media_type');
  if (route.permission !== 'public') shape.push('unauthorized', 'forbidden');
  if (route.only === 'cloud') shape.push('not_available_locally');
  if (route.only === 'local') shape.push('not_available_on_cloud');
  return [...new Set([...shape, ...route.errors])];
}

function operationOf(route: Route): ZodOpenApiOperationObject {
  const requestParams: NonNullable<ZodOpenApiOperationObject['requestParams']> = {};
  if (route.params) requestParams.path = route.params as z.ZodObject;
  if (route.query) requestParams.query = route.query as z.ZodObject;
  return {
    operationId: route.id,
    summary: route.summary,
    tags: [route.tag],
    ...(route.deprecated ? { deprecated: true } : {}),
    ...(route.only ? { 'x-availability': route.only } : {}),
    ...(route.permission === 'public' ? { security: [] } : { 'x-permission': route.permission }),
    requestParams,
    ...(route.body ? { requestBody: { content: contentOf(route, route.body) } } : {}),
    responses: responsesOf(route),
  };
}

function responsesOf(route: Route): ZodOpenApiOperationObject['responses'] {
  const responses: NonNullable<ZodOpenApiOperationObject['responses']> = {};
  const replies = route.status ?? [200];
  for (const status of replies) {
    const content = status === 204 ? {} : { content: contentOf(route, route.reply) };
    responses[`${status}` as '200'] = { description: route.summary, ...content };
  }
  const byStatus = Map.groupBy(codesOf(route), (code) => errorStatus[code]);
  for (const [status, codes] of [...byStatus].sort(([a], [b]) => a - b)) {
    // A status may stand for a reply and for refusals alike: a batch of which nothing was kept, a service that is not well.
    const shared = replies.includes(status);
    responses[`${status}` as '400'] = {
      description: [...(shared ? [route.summary] : []), ...codes.map((code) => `\`${code}\``)].join(', '),
      content: { 'application/json': { schema: shared ? z.union([route.reply, errorBody]) : errorBody } },
    };
  }
  return responses;
}

function contentOf(route: Route, schema: z.ZodType) {
  if (route.wire === 'events') return { 'text/event-stream': { schema } };
  if (route.wire === 'bytes') return { '*/*': { schema } };
  const json = { 'application/json': { schema } };
  return route.wire === 'otlp' ? { ...json, [protobufTypes[0]]: { schema: z.string().meta({ format: 'binary' }) } } : json;
}
