import { ProtobufLogsSerializer, ProtobufMetricsSerializer } from '@opentelemetry/otlp-transformer';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { aRequest, aSpan } from '../../../shared/fixtures/otlp.ts';
import {
  bytesField,
  concat,
  fixed64Field,
  hexBytes,
  keyValueBytes,
  requestBytes,
  requestOfSpanBytes,
  spanBytes,
  textField,
  varintField,
} from '../../../shared/fixtures/otlp-protobuf.ts';
import { propertyRuns } from '../../fixtures/property-runs.ts';
import { decodeProtobuf } from './decode-protobuf.ts';
import { UnreadableRequest } from './decoded.ts';
import { otlpLimits } from './limits.ts';

const ids = concat([bytesField(1, hexBytes('a'.repeat(32))), bytesField(2, hexBytes('b'.repeat(16)))]);
const ofSpan = (...fields: Uint8Array[]) => decodeProtobuf(requestOfSpanBytes([concat([ids, ...fields])]));
const attributeOf = (...valueFields: Uint8Array[]) => {
  const attribute = concat([textField(1, 'k'), bytesField(2, concat(valueFields))]);
  return ofSpan(bytesField(9, attribute)).spans[0]?.span.attributes[0]?.[1];
};

function refusal(bytes: Uint8Array): string {
  try {
    decodeProtobuf(bytes);
  } catch (error) {
    if (error instanceof UnreadableRequest) return error.code;
    throw error;
  }
  return 'read';
}

describe('the protobuf wire format', () => {
  it('may have fields in any order, the resource after its spans too', () => {
    const span = concat([textField(5, 'late'), bytesField(2, hexBytes('b'.repeat(16))), bytesField(1, hexBytes('a'.repeat(32)))]);
    const scope = concat([bytesField(2, span), textField(3, 'scope-url'), bytesField(1, textField(1, 'my-scope'))]);
    const resource = bytesField(1, keyValueBytes({ key: 'service.name', value: { stringValue: 'svc' } }));
    const { spans } = decodeProtobuf(concat([bytesField(1, concat([bytesField(2, scope), bytesField(1, resource)]))]));
    expect(spans[0]).toMatchObject({
      span: { name: 'late' },
      scope: { name: 'my-scope', schema_url: 'scope-url' },
      resource: { attributes: [['service.name', 'svc']] },
    });
  });

  it('skips unknown fields of every wire type', () => {
    const unknown = concat([varintField(90, 2n ** 63n), fixed64Field(91, 7n), textField(92, 'x'), Uint8Array.of(0xed, 0x05, 1, 2, 3, 4)]);
    expect(ofSpan(unknown, textField(5, 'kept'), unknown).spans[0]?.span.name).toBe('kept');
  });

  it('treats a known field of another wire type as unknown', () => {
    const { spans, rejected } = ofSpan(varintField(5, 3n), textField(7, 'now'), textField(6, 'server'));
    expect(rejected).toEqual([]);
    expect(spans[0]?.span).toMatchObject({ name: '', start_ns: '0', kind: 0 });
  });

  it('takes the last value of a repeated scalar', () => {
    expect(ofSpan(textField(5, 'first'), textField(5, 'last')).spans[0]?.span.name).toBe('last');
    expect(attributeOf(textField(1, 'text'), varintField(3, 7n))).toBe(7);
  });

  test.each<[int: bigint, value: unknown]>([
    [0n, 0],
    [-1n, -1],
    [2n ** 53n - 1n, Number.MAX_SAFE_INTEGER],
    [2n ** 53n, { int: '9007199254740992' }],
    [-(2n ** 53n), { int: '-9007199254740992' }],
    [2n ** 63n - 1n, { int: '9223372036854775807' }],
    [-(2n ** 63n), { int: '-9223372036854775808' }],
  ])('reads the varint of %d', (int, value) => {
    expect(attributeOf(varintField(3, int))).toEqual(value);
  });

  it('reads a number written with more bytes than it needs', () => {
    expect(attributeOf(Uint8Array.of(0x18, 0x85, 0x80, 0x80, 0x00))).toBe(5);
  });

  it('reads an empty AnyValue as null and an empty list as one', () => {
    expect(attributeOf()).toBeNull();
    expect(attributeOf(bytesField(5, new Uint8Array()))).toEqual([]);
    expect(attributeOf(bytesField(6, new Uint8Array()))).toEqual({ map: [] });
  });

  it('replaces invalid UTF-8 with a warning; a U+FFFD that was sent causes none', () => {
    const broken = ofSpan(bytesField(5, Uint8Array.of(0x61, 0xff, 0x62)));
    expect([broken.spans[0]?.span.name, broken.spans[0]?.warnings.length]).toEqual(['a\ufffdb', 1]);
    expect(ofSpan(textField(5, 'a\ufffdb')).spans[0]?.warnings).toEqual([]);
  });
});

describe('a broken span', () => {
  const good = spanBytes(aSpan());
  test.each<[why: string, bytes: Uint8Array]>([
    ['without ids', textField(5, 'nameless')],
    ['with a trace id of 15 bytes', concat([bytesField(1, new Uint8Array(15).fill(7)), bytesField(2, hexBytes('b'.repeat(16)))])],
    ['with an all-zero span id', concat([bytesField(1, hexBytes('a'.repeat(32))), bytesField(2, new Uint8Array(8))])],
    ['that ends inside a tag', concat([ids, Uint8Array.of(0x80)])],
    ['whose length points past its end', concat([ids, Uint8Array.of(0x2a, 0x7f, 0x61)])],
    ['with a length of four gigabytes', concat([ids, Uint8Array.of(0x2a, 0xff, 0xff, 0xff, 0xff, 0x0f)])],
    ['with a varint of eleven bytes', concat([ids, Uint8Array.of(0x30, ...new Array(10).fill(0x80), 1)])],
    ['with a group', concat([ids, Uint8Array.of(0x0b, 0x0c)])],
    ['with a field of number 0', concat([ids, Uint8Array.of(0x02, 0x00)])],
    ['with a key that holds NUL', concat([ids, bytesField(9, textField(1, 'a\0b'))])],
  ])('%s is rejected alone', (_, bytes) => {
    const { spans, rejected } = decodeProtobuf(requestOfSpanBytes([good, bytes, good]));
    expect(spans).toHaveLength(2);
    expect(rejected).toEqual([expect.stringMatching(/^spans\[1\]: /)]);
  });

  it('nested deeper than the limit is rejected, at any depth, without running out of stack', () => {
    const nested = (levels: number) => {
      let value = textField(1, 'x');
      for (let level = 0; level < levels; level++) value = bytesField(5, bytesField(1, value));
      return concat([ids, bytesField(9, concat([textField(1, 'k'), bytesField(2, value)]))]);
    };
    expect(decodeProtobuf(requestOfSpanBytes([nested(otlpLimits.valueDepthMax)])).rejected).toEqual([]);
    for (const levels of [otlpLimits.valueDepthMax + 1, 3000])
      expect(decodeProtobuf(requestOfSpanBytes([nested(levels), good])).rejected).toHaveLength(1);
  });
});

describe('a resource or scope', () => {
  it.each([
    ['holds NUL in a key', textField(1, 'a\0b')],
    ['nests too deep', Array.from({ length: 40 }).reduce<Uint8Array>((inner) => bytesField(5, bytesField(1, inner)), textField(1, 'x'))],
  ])('loses the attribute that %s, never its spans', (why, bytes) => {
    const bad = why.startsWith('nests') ? concat([textField(1, 'k'), bytesField(2, bytes)]) : bytes;
    const good = keyValueBytes({ key: 'service.name', value: { stringValue: 'svc' } });
    const resource = (field: number) => bytesField(1, concat([bytesField(field, good), bytesField(field, bad)]));
    const scope = concat([resource(3), bytesField(2, ids)]);
    const { spans, rejected } = decodeProtobuf(bytesField(1, concat([resource(1), bytesField(2, scope)])));
    expect(rejected).toEqual([]);
    expect(spans[0]?.resource).toMatchObject({ attributes: [['service.name', 'svc']], dropped: 1 });
    expect(spans[0]?.scope).toMatchObject({ attributes: [['service.name', 'svc']], dropped: 1 });
  });
});

describe('a broken envelope', () => {
  const whole = requestBytes(aRequest([aSpan({ attributes: { a: 1 } }), aSpan()]));

  it('is refused or read wherever it is cut, never a fault', () => {
    for (let end = 0; end < whole.length; end++) expect(['read', 'protobuf_decode_failed']).toContain(refusal(whole.subarray(0, end)));
    expect(refusal(whole.subarray(0, whole.length - 1))).toBe('protobuf_decode_failed');
  });

  it('is refused or read whatever its bytes are', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        refusal(bytes);
      }),
      { numRuns: propertyRuns(1000) },
    );
  });

  it('is refused or read whichever of its bytes are changed', () => {
    const change = fc.tuple(fc.nat(whole.length - 1), fc.nat(255));
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 4 }), (changes) => {
        const bytes = Uint8Array.from(whole);
        for (const [at, byte] of changes) bytes[at] = byte;
        refusal(bytes);
      }),
      { numRuns: propertyRuns(2000) },
    );
  });

  it('never lets a message read the bytes after its end', () => {
    const reaching = concat([ids, Uint8Array.of(0x2a, 12)]);
    const neighbour = spanBytes(aSpan({ name: 'the name of the neighbour' }));
    const { spans, rejected } = decodeProtobuf(requestOfSpanBytes([reaching, neighbour]));
    expect(spans.map(({ span }) => span.name)).toEqual(['the name of the neighbour']);
    expect(rejected).toEqual([expect.stringContaining('points past the end')]);
  });

  it('is refused when it is JSON', () => {
    expect(refusal(Buffer.from(JSON.stringify(aRequest([aSpan()]))))).toBe('protobuf_decode_failed');
  });
});

describe('another signal', () => {
  const resource = { resource: { attributes: {} }, instrumentationScope: { name: 's' } };

  it('is distinguished from traces: logs', () => {
    const record = { ...resource, hrTime: [1, 2], hrTimeObserved: [1, 2], body: 'hello', attributes: {}, droppedAttributesCount: 0 };
    expect(refusal(ProtobufLogsSerializer.serializeRequest([record as never]) as Uint8Array)).toBe('invalid_otlp_payload');
  });

  it('is distinguished from traces: metrics', () => {
    const metric = {
      descriptor: { name: 'requests', description: '', unit: '', valueType: 0, type: 'COUNTER' },
      aggregationTemporality: 0,
      dataPointType: 3,
      isMonotonic: true,
      dataPoints: [{ startTime: [1, 2], endTime: [1, 3], attributes: {}, value: 5 }],
    };
    const metrics = { resource: resource.resource, scopeMetrics: [{ scope: resource.instrumentationScope, metrics: [metric] }] };
    expect(refusal(ProtobufMetricsSerializer.serializeRequest(metrics as never) as Uint8Array)).toBe('invalid_otlp_payload');
  });
});
