import { describe, expect, it } from 'vitest';
import { demoData } from './demo-data.ts';

interface SentSpan {
  spanId: string;
  traceId: string;
  parentSpanId?: string;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
}

interface SentRequest {
  resourceSpans: { scopeSpans: { spans: SentSpan[] }[] }[];
}

const spansOf = (nowMs: number): SentSpan[] =>
  (demoData(nowMs).requests as SentRequest[]).flatMap(({ resourceSpans }) =>
    resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
  );

const msOf = (nano: string): number => Number(BigInt(nano) / 1_000_000n);

describe('the demo', () => {
  it('lies in the last seven days and before now, at whatever hour it is loaded', () => {
    for (const hour of [0, 3, 8, 9, 10, 13, 18, 23]) {
      const nowMs = new Date(2026, 2, 12, hour, 1).getTime();
      const spans = spansOf(nowMs);
      expect(Math.max(...spans.map(({ endTimeUnixNano }) => msOf(endTimeUnixNano)))).toBeLessThan(nowMs);
      expect(Math.min(...spans.map(({ startTimeUnixNano }) => msOf(startTimeUnixNano)))).toBeGreaterThan(nowMs - 7 * 24 * 3_600_000);
    }
  });

  it('has spans that lie within their parents', () => {
    const spans = spansOf(Date.UTC(2026, 2, 12, 13));
    const byId = new Map(spans.map((span) => [`${span.traceId} ${span.spanId}`, span]));
    expect(byId.size).toBe(spans.length);
    for (const { traceId, parentSpanId, startTimeUnixNano, endTimeUnixNano } of spans) {
      if (parentSpanId === undefined) continue;
      const parent = byId.get(`${traceId} ${parentSpanId}`);
      expect(parent).toBeDefined();
      expect(BigInt(startTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(parent?.startTimeUnixNano ?? 0));
      expect(BigInt(endTimeUnixNano)).toBeLessThanOrEqual(BigInt(parent?.endTimeUnixNano ?? 0));
    }
  });

  it('is the same for the same moment, and has no placeholder of a date left', () => {
    const nowMs = Date.UTC(2026, 2, 12, 13);
    const text = JSON.stringify(demoData(nowMs));
    expect(JSON.stringify(demoData(nowMs))).toBe(text);
    expect(text).not.toMatch(/\{(date|weekday)/);
  });
});
