import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { aSpan, aSpanId, aTraceId } from '../../../../shared/fixtures/otlp.ts';
import { createPricing } from '../../../ingest/cost/pricing.ts';
import { batchOf } from '../../conformance/batch-of.ts';
import { openReader, openWriter } from '../file/open.ts';
import { Writer } from '../write/writer.ts';
import { createReader } from './reader.ts';

const scope = { tenant_id: 'tenant', app_id: 'app' };
/** Each is in a block of its own, and together they exceed a reader's cache of inflated blocks. */
const texts = Array.from({ length: 40 }, (_, at) => `${at} lies behind the moon `.repeat(14_000));

let folder: string;
let file: string;
let writer: Writer;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'glasshouse-records-'));
  file = join(folder, 'telemetry.db');
  writer = new Writer(openWriter(file), createPricing());
});

afterEach(() => {
  writer.close();
  rmSync(folder, { recursive: true, force: true });
});

const write = (span: object) =>
  expect(writer.write([{ scope, batch: batchOf([span]) }]).results).toMatchObject([{ outcome: { accepted: 1 } }]);

describe('a record with texts in more blocks than the cache holds', () => {
  it('reads as it was sent, repeatedly, and so do other records', () => {
    const traceId = aTraceId();
    const single = texts.map((text, at) => ({ spanId: aSpanId(), attributes: { [`text.${at}`]: text } }));
    const all = { spanId: aSpanId(), attributes: Object.fromEntries(texts.map((text, at) => [`text.${at}`, text])) };
    for (const { spanId, attributes } of [...single, all]) write(aSpan({ traceId, spanId, attributes }));
    const reader = openReader(file);
    try {
      const read = createReader(reader, 60_000);
      const raw = (spanId: string) => JSON.stringify(read('spans.raw', [scope, traceId, spanId]));
      for (const { spanId, attributes } of [all, ...single, all, ...single.toReversed()]) {
        const json = raw(spanId);
        for (const text of Object.values(attributes)) expect(json.includes(text)).toBe(true);
      }
    } finally {
      reader.close();
    }
  });

  it('is recognised as a duplicate when it is sent again', () => {
    const all = aSpan({ traceId: aTraceId(), attributes: Object.fromEntries(texts.map((text, at) => [`text.${at}`, text])) });
    write(all);
    expect(writer.write([{ scope, batch: batchOf([all]) }]).results).toMatchObject([{ outcome: { accepted: 0, duplicates: 1 } }]);
  });
});
