/** The redaction of any request is valid OTLP with the same ids, and redacting it again changes nothing. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { hiddenKinds, type RedactionPolicy } from '../../shared/contract/operations/redaction.ts';
import { request } from '../fixtures/otlp-arbitraries.ts';
import { propertyRuns } from '../fixtures/property-runs.ts';
import { seededSecrets } from '../fixtures/seeded-secrets.ts';
import { decodeJson } from '../ingest/otlp/decode-json.ts';
import { otlpJsonOf } from '../ingest/otlp/encode-json.ts';
import type { SpanData } from '../ingest/otlp/raw-span.ts';
import { RedactionProcessor } from './redaction-processor.ts';

const seeds = seededSecrets(102, 3).map(({ text }) => text);
const policies = fc.record<RedactionPolicy>({
  drop: fc.record({ inputs: fc.boolean(), outputs: fc.boolean(), keys: fc.subarray(['*', 'a*', 'session.id', 'a.b']) }),
  hide: fc.subarray([...hiddenKinds]),
  only: fc.constant({ environments: [], tags: [] }),
});
/** Texts with secrets, and with parts of the values that detectors find. */
const pieces = fc.oneof(
  fc.constantFrom(...seeds),
  fc.constantFrom('@', '://', 'password=', '":"', '\\n', '\\', '%40', '‹email-', '›', '-----BEGIN PRIVATE KEY-----', 'Bearer ', '+1'),
  fc.string({ maxLength: 8 }),
);
const texts = fc.array(
  fc.array(pieces, { maxLength: 5 }).map((parts) => parts.join('')),
  { minLength: 1, maxLength: 8 },
);

/** The request with its empty and short texts replaced by these, in turn. */
function filled(json: unknown, fill: readonly string[]): SpanData[] {
  let at = 0;
  const text = JSON.stringify(json, (name, value: unknown) =>
    ['stringValue', 'name', 'message', 'traceState'].includes(name) && typeof value === 'string' ? fill[at++ % fill.length] : value,
  );
  return decodeJson(Buffer.from(text)).spans;
}

const ids = ({ span, logs = [] }: SpanData) => [
  span.trace_id,
  span.span_id,
  span.parent_id,
  ...span.links.map((link) => [link.trace_id, link.span_id]),
  ...logs.map((log) => log.span_id),
];

it('any request with any policy is redacted without an error', () => {
  fc.assert(
    fc.property(request, texts, policies, (json, fill, policy) => {
      for (const { warnings: _, ...sent } of filled(json, fill) as (SpanData & { warnings: string[] })[]) {
        const redacted = new RedactionProcessor(policy, new Uint8Array(32)).span(sent, { environment: '', tags: [] })?.sent as SpanData;
        expect(ids(redacted)).toEqual(ids(sent));
        const { span, resource, scope } = otlpJsonOf(redacted);
        const wire = JSON.stringify({ resourceSpans: [{ resource, scopeSpans: [{ scope, spans: [span] }] }] });
        const read = decodeJson(Buffer.from(wire));
        expect(read.rejected).toEqual([]);
        expect(read.spans[0]?.span.span_id).toBe(sent.span.span_id);
        const again = new RedactionProcessor(policy, new Uint8Array(32)).span(redacted, { environment: '', tags: [] });
        expect(again).toEqual({ sent: redacted, tokens: [] });
        expect(again?.sent).toBe(redacted);
      }
    }),
    { numRuns: propertyRuns(300) },
  );
});

it('any text in JSON: valid JSON stays valid', () => {
  const all: RedactionPolicy = {
    drop: { inputs: false, outputs: false, keys: [] },
    hide: [...hiddenKinds],
    only: { environments: [], tags: [] },
  };
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 6 }), fc.nat(3), (parts, depth) => {
      let text = JSON.stringify({ a: parts.join(''), password: parts[0] ?? '', b: parts });
      for (let level = 0; level < depth; level++) text = JSON.stringify({ inner: text });
      const [sent] = filled(
        {
          resourceSpans: [
            {
              scopeSpans: [
                { spans: [{ traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), attributes: [{ key: 'x', value: { stringValue: '' } }] }] },
              ],
            },
          ],
        },
        [text],
      );
      const redacted = new RedactionProcessor(all, new Uint8Array(32)).span(sent as SpanData, { environment: '', tags: [] });
      let value: unknown = redacted?.sent.span.attributes[0]?.[1];
      for (let level = 0; level <= depth; level++)
        value = level === 0 ? JSON.parse(value as string) : JSON.parse((value as { inner: string }).inner);
      expect(value).toHaveProperty('b');
    }),
    { numRuns: propertyRuns(1_000) },
  );
});
