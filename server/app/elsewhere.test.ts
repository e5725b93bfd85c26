/** What is said of a route that is not served here: for all of them, and what it names is there. */
import { describe, expect, it } from 'vitest';
import { hintOf } from './elsewhere.ts';
import { everyRoute } from './openapi.ts';

const cases = [
  { mode: 'local', foreign: 'cloud', code: 'not_available_locally' },
  { mode: 'cloud', foreign: 'local', code: 'not_available_on_cloud' },
] as const;

describe.each(cases)('$code', ({ mode, foreign, code }) => {
  const hints = everyRoute.filter(({ only }) => only === foreign).map((route): [string, string] => [route.id, hintOf(route, code)]);
  const served = everyRoute.filter(({ only }) => only === undefined || only === mode);
  const known = new Set(served.map(({ method, path }) => `${method} ${path.replace(/:\w+/g, '{}')}`));

  it.each(hints)('%s: %s', (_, hint) => {
    expect(hint).toMatch(/^[A-Z].*\.$/);
    const named = [...hint.matchAll(/(GET|POST) (\/[\w/{}-]+)/g)].map(
      ([, method, path = '']) => `${method} ${path.replace(/\{\w+\}/g, '{}')}`,
    );
    for (const route of named) expect(known).toContain(route);
  });
});

it('searching, metrics and single spans name what answers the same here', () => {
  const said = (id: string) => hintOf({ id, tag: '' }, 'not_available_locally');
  expect(said('search-traces')).toContain('GET /v1/traces?filter=');
  expect(said('get-metrics')).toContain('GET /v1/traces?filter=');
  expect(said('get-span')).toContain('GET /v1/traces/{traceId}/spans/{spanId}');
});
