import { describe, expect, it } from 'vitest';
import { aRequest, aSpan } from '../../shared/fixtures/otlp.ts';
import { otlpRequests } from './otlp-requests.ts';

describe('a file of OTLP/JSON', () => {
  it('is sent unchanged when it is small', () => {
    const text = ` {"resourceSpans": [{"scopeSpans":[{"spans":[{"x": 9007199254740993}]}]}] } `;
    expect(otlpRequests(text)).toEqual([{ path: '/v1/traces', text, count: 1 }]);
  });

  it('is split into requests that together contain every span once, under its own resource', () => {
    const spans = Array.from({ length: 50 }, (_, index) => aSpan({ name: `span ${index}`, attributes: { text: 'x'.repeat(500) } }));
    const text = JSON.stringify({ ...aRequest(spans), resourceLogs: [{ scopeLogs: [{ logRecords: [{ a: 1 }, { a: 2 }] }] }] });
    const requests = otlpRequests(text, 5000) ?? [];
    expect(requests.length).toBeGreaterThan(5);
    expect(Math.max(...requests.map((request) => request.text.length))).toBeLessThan(6000);
    const cut = requests
      .filter(({ path }) => path === '/v1/traces')
      .map((request) => JSON.parse(request.text) as ReturnType<typeof aRequest>);
    const [first] = (aRequest(spans) as { resourceSpans: { resource: object }[] }).resourceSpans;
    const entries = cut.flatMap(
      (request) => (request as { resourceSpans: { resource: object; scopeSpans: { spans: object[] }[] }[] }).resourceSpans,
    );
    expect(entries.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans))).toEqual(spans);
    for (const { resource } of entries) expect(resource).toEqual(first?.resource);
    expect(requests.filter(({ path }) => path === '/v1/logs').reduce((sum, { count }) => sum + count, 0)).toBe(2);
  });

  it('is refused when it is something else', () => {
    for (const text of ['', '[]', '{}', 'null', '{"resourceMetrics":[]}', 'hello', '{"resourceSpans":{}}', '{"resourceSpans":[]}\nhello'])
      expect(otlpRequests(text), text).toBeNull();
  });
});
