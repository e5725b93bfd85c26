import { describe, expect, it } from 'vitest';
import { type AttributeInput, aRequest, aSpan } from '../../../../shared/fixtures/otlp.ts';
import { decodeJson } from '../../otlp/decode-json.ts';
import { callHashesOf } from './call-hashes.ts';

function hashes(attributes: Record<string, AttributeInput>, statusMessage?: string) {
  const tool = { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'search', ...attributes };
  const span = aSpan({ attributes: tool, ...(statusMessage === undefined ? {} : { status: 'ERROR', statusMessage }) });
  const [decoded] = decodeJson(Buffer.from(JSON.stringify(aRequest([span])))).spans;
  if (!decoded) throw new Error('The span was not decoded');
  return callHashesOf(decoded);
}

const withArguments = (args: AttributeInput) => hashes({ 'gen_ai.tool.call.arguments': args }).arguments_hash;
const withResult = (result: AttributeInput) => hashes({ 'gen_ai.tool.call.result': result }).result_hash;

describe('hashes of a tool call', () => {
  it('do not depend on the order of keys, white space, or the form in which arguments are sent', () => {
    const expected = withArguments('{"a":1,"b":{"c":[true,null],"d":"x"}}');
    expect(expected).not.toBeNull();
    expect(withArguments('{ "b": {"d":"x", "c":[true, null]}, "a": 1 }')).toBe(expected);
    expect(withArguments({ b: { d: 'x', c: [true, null] }, a: 1 })).toBe(expected);
  });

  it('differ for other values, keys, orders of lists, and texts that differ in one place', () => {
    const long = 'x'.repeat(900);
    const all = [
      '{"a":1}',
      '{"a":2}',
      '{"b":1}',
      '{"a":[1,2]}',
      '{"a":[2,1]}',
      '{"a":{"b":1}}',
      '{"a":"1","c":""}',
      `{"a":"${long}"}`,
      `{"a":"${long}y"}`,
    ];
    expect(new Set(all.map(withArguments)).size).toBe(all.length);
    expect(withResult(`${long}a${long}`)).not.toBe(withResult(`${long}a${long}b`));
  });

  it('are null where nothing was recorded, and an error message counts as the result', () => {
    expect(hashes({})).toEqual({ arguments_hash: null, result_hash: null });
    expect(hashes({}, 'rate limited').result_hash).toBe(hashes({}, 'rate limited').result_hash);
    expect(hashes({}, 'rate limited').result_hash).not.toBe(hashes({}, 'no such city').result_hash);
  });

  it('read the arguments and results of other conventions', () => {
    const openInference = { 'openinference.span.kind': 'TOOL', 'input.value': '{"q":"owls"}', 'output.value': 'none' };
    expect(hashes(openInference)).toEqual({ arguments_hash: withArguments('{"q":"owls"}'), result_hash: withResult('none') });
    const schema = { ...openInference, 'tool.parameters': '{"properties":{"q":{"type":"string"}}}' };
    expect(hashes(schema).arguments_hash).toBe(withArguments('{"q":"owls"}'));
  });

  it('are exact numbers, whatever is sent', () => {
    const deep = `${'{"a":'.repeat(400)}1${'}'.repeat(400)}`;
    for (const args of [deep, `[${'1,'.repeat(100_000)}1]`, '{"__proto__":1}', '\ud800', '""', '{'.repeat(100_000)]) {
      const hash = withArguments(args);
      expect(Number.isSafeInteger(hash), args.slice(0, 20)).toBe(true);
    }
  });
});
