/** Headers of answers that mean something to a client, each described once. */
import { errorStatus } from '../../../shared/contract/core/errors.ts';
import type { Route } from '../../../shared/contract/core/route.ts';
import { codesOf } from '../declared-answers.ts';

const seconds = { type: 'integer', minimum: 0 } as const;

export const answerHeaders = {
  RetryAfter: { description: 'Whole seconds to wait before the request is sent again.', schema: seconds, example: 5 },
  RateLimitLimit: { description: 'Requests that the plan allows in a minute. Cloud only.', schema: seconds, example: 300 },
  RateLimitRemaining: { description: 'Requests that remain of them. Cloud only.', schema: seconds, example: 287 },
  RateLimitReset: { description: 'Seconds until all of them are available again. Cloud only.', schema: seconds, example: 12 },
  Deprecation: { description: 'The operation is deprecated.', schema: { type: 'string' }, example: 'true' },
  Sunset: {
    description: 'When the operation may be removed (RFC 8594).',
    schema: { type: 'string' },
    example: 'Wed, 21 Oct 2026 00:00:00 GMT',
  },
  Link: {
    description: 'The operation to use instead, with the relation `successor-version`.',
    schema: { type: 'string' },
    example: '</v1/traces/0af7651916cd43dd8448eb211c80319c?fields=graph>; rel="successor-version"',
  },
  ETag: {
    description: 'Identifies this version. A request with it in `If-None-Match` is answered 304 while this version is the newest.',
    schema: { type: 'string' },
    example: '"4f1c2a9b7d3e6058-br"',
  },
} as const;

const names: Record<keyof typeof answerHeaders, string> = {
  RetryAfter: 'Retry-After',
  RateLimitLimit: 'RateLimit-Limit',
  RateLimitRemaining: 'RateLimit-Remaining',
  RateLimitReset: 'RateLimit-Reset',
  Deprecation: 'Deprecation',
  Sunset: 'Sunset',
  Link: 'Link',
  ETag: 'ETag',
};

const rateLimits = ['RateLimitLimit', 'RateLimitRemaining', 'RateLimitReset'] as const;

/** References to the headers that an answer of this status can have. */
export function headersOf(route: Route, status: number, isReply: boolean): Record<string, { $ref: string }> {
  const has: (keyof typeof answerHeaders)[] = [];
  if (status === 429 || (status === 503 && codesOf(route).some((code) => errorStatus[code] === 503))) has.push('RetryAfter');
  if (status === 429 || (isReply && codesOf(route).includes('rate_limit_exceeded'))) has.push(...rateLimits);
  if (route.deprecated && (isReply || status === 404))
    has.push('Deprecation', 'Link', ...(route.deprecated.sunset ? ['Sunset' as const] : []));
  if (isReply && route.status?.includes(304)) has.push('ETag');
  return Object.fromEntries(has.map((name) => [names[name], { $ref: `#/components/headers/${name}` }]));
}
