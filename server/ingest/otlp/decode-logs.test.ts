import { describe, expect, it } from 'vitest';
import { bytesField, concat, hexBytes, textField, varintField } from '../../../shared/fixtures/otlp-protobuf.ts';
import { decodeLogsJson } from './decode-logs-json.ts';
import { decodeLogsProtobuf } from './decode-logs-protobuf.ts';

const [traceId, spanId, eventName] = ['a1'.repeat(16), 'b1'.repeat(8), 'gen_ai.choice'];

describe('a log record', () => {
  it('keeps the dropped-attributes count of its sender, in JSON and in protobuf', () => {
    const record = { traceId, spanId, eventName, droppedAttributesCount: 7 };
    const json = decodeLogsJson(Buffer.from(JSON.stringify({ resourceLogs: [{ scopeLogs: [{ logRecords: [record] }] }] })));
    const fields = [varintField(7, 7n), bytesField(9, hexBytes(traceId)), bytesField(10, hexBytes(spanId)), textField(12, eventName)];
    const protobuf = decodeLogsProtobuf(bytesField(1, bytesField(2, bytesField(2, concat(fields)))));
    expect(json.logs).toMatchObject([{ log: { name: eventName, dropped: 7 } }]);
    expect(protobuf).toEqual(json);
  });
});
