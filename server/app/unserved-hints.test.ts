/** Hints for routes that this gateway does not serve: each such route has one, and the routes that it names exist. */
import { describe, expect, it } from 'vitest';
import { everyRoute } from './openapi.ts';
import { hintOf } from './unserved-hints.ts';

const cases = [
  { mode: 'local', foreign: 'cloud', code: 'not_available_locally' },
  { mode: 'cloud', foreign: 'local', code: 'not_available_on_cloud' },
] as const;

describe.each(cases)('$code', ({ mode, foreign, code }) => {
  const hints = everyRoute.filter(({ only }) => only === foreign).map((route): [string, string] => [route.id, hintOf(route, code)]);
  const served = everyRoute.filter(({ only }) => only === undefined || only === mode);
  const servedRoutes = new Set(served.map(({ method, path }) => `${method} ${path.replace(/:\w+/g, '{}')}`));

  it.each(hints)('%s: %s', (_, hint) => {
    expect(hint).toMatch(/^[A-Z].*\.$/);
    const mentioned = [...hint.matchAll(/(GET|POST) (\/[\w/{}-]+)/g)].map(
      ([, method, path = '']) => `${method} ${path.replace(/\{\w+\}/g, '{}')}`,
    );
    for (const route of mentioned) expect(servedRoutes).toContain(route);
  });
});

it('hints for search, metrics and single spans name the local equivalent', () => {
  const hintFor = (id: string) => hintOf({ id, tag: '' }, 'not_available_locally');
  expect(hintFor('search-traces')).toContain('GET /v1/traces?filter=');
  expect(hintFor('get-metrics')).toContain('GET /v1/traces?filter=');
  expect(hintFor('get-span')).toContain('GET /v1/traces/{traceId}/spans/{spanId}');
});
