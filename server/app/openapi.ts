/** The contract as OpenAPI 3.1, from the same values that validate requests. The result is checked in as docs/openapi.json. */

import { z } from 'zod';
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject } from 'zod-openapi';
import { bodyLimitOf } from '../../shared/contract/body-limit.ts';
import { contract } from '../../shared/contract/index.ts';
import type { Route } from '../../shared/contract/route.ts';
import { otlpLimits } from '../ingest/otlp/limits.ts';
import { answersOf } from './declared-answers.ts';
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
    ...(route.body ? { requestBody: bodyOf(route, route.body), 'x-body-max': bytesMaxOf(route) } : {}),
    responses: responsesOf(route),
  };
}

/** Bytes that a body may have, decoded. */
function bytesMaxOf(route: Route): number {
  if (route.wire === 'otlp') return otlpLimits.bodyBytesMax;
  return route.takes?.bytesMax ?? bodyLimitOf(route).bytes;
}

/** No body is an empty object (contract 2.1); where that will not do, there must be one. */
function bodyOf({ wire, takes }: Route, schema: z.ZodType) {
  if (takes) return { required: true, content: { [takes.type]: { schema } } };
  const content = { 'application/json': { schema }, ...(wire === 'otlp' ? protobuf : {}) };
  return schema.safeParse({}).success ? { content } : { required: true, content };
}

function responsesOf(route: Route): ZodOpenApiOperationObject['responses'] {
  const responses: NonNullable<ZodOpenApiOperationObject['responses']> = {};
  const byStatus = Map.groupBy(answersOf(route), ({ status }) => status);
  for (const [status, answers] of [...byStatus].sort(([a], [b]) => a - b)) {
    // A status may stand for a reply and for refusals alike: a batch of which nothing was kept, a service that is not well.
    const isReply = answers.some(({ code }) => code === null);
    const codes = answers.flatMap(({ code }) => code ?? []);
    const schemas = [...(isReply ? [route.reply] : []), ...(codes.length > 0 ? [errorBody] : [])];
    responses[`${status}` as '200'] = {
      description: [...(isReply ? [route.summary] : []), ...codes.map((code) => `\`${code}\``)].join(', '),
      'x-answers': Object.fromEntries(answers.map(({ code, where }) => [code ?? 'reply', where])),
      ...([204, 302, 304].includes(status) ? {} : { content: contentOf(route, schemas, isReply) }),
    };
  }
  return responses;
}

function contentOf(route: Route, [schema = z.unknown(), ...others]: z.ZodType[], isReply: boolean) {
  const whole = others.length > 0 ? z.union([schema, ...others]) : schema;
  if (isReply && route.wire === 'events') return { 'text/event-stream': { schema: whole } };
  if (isReply && route.wire === 'bytes') return { '*/*': { schema: whole } };
  const text = isReply ? Object.fromEntries((route.alsoAs ?? []).map((type) => [type, { schema: z.string() }])) : {};
  return { 'application/json': { schema: whole }, ...text, ...(route.wire === 'otlp' ? protobuf : {}) };
}

const protobuf = { [protobufTypes[0]]: { schema: z.string().meta({ format: 'binary' }) } };
