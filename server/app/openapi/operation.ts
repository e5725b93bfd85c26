/** OpenAPI operation of a route. */
import type { z } from 'zod';
import type { ZodOpenApiOperationObject } from 'zod-openapi';
import { bodyLimitOf } from '../../../shared/contract/core/body-limit.ts';
import type { Route } from '../../../shared/contract/core/route.ts';
import { otlpLimits } from '../../ingest/otlp/limits.ts';
import { type Note, notes } from '../../reference/index.ts';
import { protobuf, responsesOf } from './answers.ts';
import { accessOf, namesApp, securityOf } from './credentials.ts';

/** For the viewer and browser redirects. May change with any release. */
export const isInternal = ({ internal, path }: Route): boolean => internal === true || path.startsWith('/v1/viewer/');

export function operationOf(route: Route): ZodOpenApiOperationObject {
  const note = notes[route.id];
  const requestParams: NonNullable<ZodOpenApiOperationObject['requestParams']> = {};
  if (route.params) requestParams.path = route.params as z.ZodObject;
  if (route.query) requestParams.query = route.query as z.ZodObject;
  return {
    operationId: route.id,
    summary: route.summary,
    description: descriptionOf(route, note),
    tags: [route.tag],
    'x-modes': route.only ? [route.only] : ['local', 'cloud'],
    ...(isInternal(route) ? { 'x-internal': true } : {}),
    ...(route.deprecated ? { deprecated: true } : {}),
    ...(route.permission === 'public' ? {} : { 'x-permission': route.permission }),
    security: securityOf(route),
    requestParams,
    ...(namesApp(route) ? { parameters: [{ $ref: '#/components/parameters/AppId' }] } : {}),
    ...(route.body ? { requestBody: bodyOf(route, route.body, note), 'x-body-max': bytesMaxOf(route) } : {}),
    ...(note?.path || note?.query ? { 'x-example': { ...note.path, ...note.query } } : {}),
    responses: responsesOf(route, note),
  };
}

function descriptionOf(route: Route, note: Note | undefined): string {
  const internal = 'Internal: the viewer and the dashboard use it, and it may change with any release.';
  return [
    ...(note ? [note.description] : []),
    ...(isInternal(route) ? [internal] : []),
    ...(route.deprecated ? [`Deprecated: use \`${route.deprecated.use}\` instead.`] : []),
    accessOf(route),
  ].join('\n\n');
}

/** Bytes that a body may have, decoded. */
function bytesMaxOf(route: Route): number {
  if (route.wire === 'otlp') return otlpLimits.bodyBytesMax;
  return route.takes?.bytesMax ?? bodyLimitOf(route).bytes;
}

/** A missing body counts as an empty object. A body is required where the schema refuses that. */
function bodyOf({ wire, takes }: Route, schema: z.ZodType, note: Note | undefined) {
  if (takes) return { required: true, content: { [takes.type]: { schema } } };
  const example = note?.body === undefined ? {} : { example: note.body };
  const content = { 'application/json': { schema, ...example }, ...(wire === 'otlp' ? protobuf : {}) };
  return schema.safeParse({}).success ? { content } : { required: true, content };
}
