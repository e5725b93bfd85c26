/** Responses of an operation: replies and errors by status, with their headers. */
import { z } from 'zod';
import type { ZodOpenApiOperationObject } from 'zod-openapi';
import type { Route } from '../../../shared/contract/core/route.ts';
import type { Note } from '../../reference/index.ts';
import { answersOf } from '../declared-answers.ts';
import { protobufTypes } from '../otlp-status.ts';
import { headersOf } from './headers.ts';

const errorBody = z
  .object({
    error: z.looseObject({
      code: z.string().meta({ description: 'For programs: snake_case, and always the same word for the same failure.' }),
      message: z.string().meta({ description: 'For people. Its wording may change.' }),
      details: z
        .record(z.string(), z.string())
        .optional()
        .meta({ description: 'What is wrong with each field or parameter, by its name. Only where the request itself is at fault.' }),
      retry_after_seconds: z.int().optional().meta({ description: 'The same number as the `Retry-After` header.' }),
    }),
  })
  .meta({
    id: 'Error',
    description: 'Every failure has this body, whatever its status.',
    examples: [
      { error: { code: 'invalid_query_params', message: 'Invalid query parameters', details: { limit: 'must be at most 1000' } } },
    ],
  });

const bodiless = [204, 302, 304];
export const protobuf = { [protobufTypes[0]]: { schema: z.string().meta({ format: 'binary' }) } };

export function responsesOf(route: Route, note: Note | undefined): ZodOpenApiOperationObject['responses'] {
  const responses: NonNullable<ZodOpenApiOperationObject['responses']> = {};
  const byStatus = Map.groupBy(answersOf(route), ({ status }) => status);
  for (const [status, answers] of [...byStatus].sort(([a], [b]) => a - b)) {
    // A status may have replies and errors: a batch that is rejected completely, an unhealthy service.
    const isReply = answers.some(({ code }) => code === null);
    const codes = answers.flatMap(({ code }) => code ?? []);
    const schemas = [...(isReply ? [route.reply] : []), ...(codes.length > 0 ? [errorBody] : [])];
    const headers = headersOf(route, status, isReply);
    const example = status === (route.status?.[0] ?? 200) ? note?.reply : undefined;
    responses[`${status}` as '200'] = {
      description: [...(isReply ? [meaningOf(route, status)] : []), ...codes.map((code) => `\`${code}\``)].join(', '),
      'x-answers': Object.fromEntries(answers.map(({ code, where }) => [code ?? 'reply', where])),
      ...(Object.keys(headers).length > 0 ? { headers } : {}),
      ...(bodiless.includes(status) ? {} : { content: contentOf(route, schemas, isReply, example) }),
    };
  }
  return responses;
}

const meanings: Record<number, string> = {
  201: 'Created',
  202: 'Accepted: the work continues after the answer',
  204: 'Done, without a body',
  207: 'A part was refused: the results say which',
  302: 'Redirect',
  304: 'The version named in `If-None-Match` is still the newest',
  400: 'Nothing was stored: the results say why',
  503: 'Unhealthy',
};

const meaningOf = (route: Route, status: number): string => meanings[status] ?? route.summary;

function contentOf(route: Route, [schema = z.unknown(), ...others]: z.ZodType[], isReply: boolean, reply: unknown) {
  const combined = others.length > 0 ? z.union([schema, ...others]) : schema;
  if (isReply && route.wire === 'events') return { 'text/event-stream': { schema: combined } };
  if (isReply && route.wire === 'bytes') return { '*/*': { schema: combined } };
  const example = reply === undefined ? {} : { example: reply };
  const text = isReply ? Object.fromEntries((route.otherMediaTypes ?? []).map((type) => [type, { schema: z.string() }])) : {};
  return { 'application/json': { schema: combined, ...example }, ...text, ...(route.wire === 'otlp' ? protobuf : {}) };
}
