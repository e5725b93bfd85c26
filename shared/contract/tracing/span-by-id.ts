import { z } from 'zod';
import { one } from '../core/envelope.ts';
import { route } from '../core/route.ts';
import { spanIo, spanItem } from './spans.ts';

const spanFull = z.object({ ...spanItem.shape, ...spanIo.shape });
export type SpanFull = z.output<typeof spanFull>;

export const spanById = {
  get: route({
    id: 'get-span',
    method: 'GET',
    path: '/v1/spans/:spanId',
    summary: 'Read one span by its id, with payload',
    tag: 'spans',
    permission: 'span.read',
    params: z.object({ spanId: z.string().min(1) }),
    reply: one(spanFull),
    errors: ['span_not_found'],
    touches: ['telemetry'],
    only: 'cloud',
  }),
};
