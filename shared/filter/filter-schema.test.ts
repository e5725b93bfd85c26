import { expect, it } from 'vitest';
import { filterSchema as contract } from '../contract/tracing/filter-schema.ts';
import { dynamicFields, findField, keyPattern } from './fields.ts';
import { filterSchema } from './filter-schema.ts';

const textual = ['equals', 'notEquals', 'contains', 'notContains', 'startsWith', 'endsWith'];
const comparing = ['equals', 'notEquals', 'gt', 'gte', 'lt', 'lte'];

it('is what docs/reference/filters.md says', () => {
  const { traces, spans, scores } = filterSchema();
  expect(traces.fields.filter(({ name }) => name !== 'spans' && name !== 'errors_inside')).toEqual(spans.fields);
  expect(spans.dynamic_fields).toEqual(traces.dynamic_fields);
  expect(traces.fields.map(({ name }) => name).join(' ')).toBe(
    'model user_id session_id trace_id prompt_name input output props semantic_kind latency_ms cost prompt_tokens completion_tokens status tags text name span_name service environment tool agent tool_arguments error errors tokens ttft spans errors_inside duration input_tokens output_tokens',
  );
  const operators = (name: string) => traces.fields.find((field) => field.name === name)?.operators;
  expect(operators('props')).toEqual([...textual, 'in', 'notIn']);
  expect(operators('cost')).toEqual([...comparing, 'in', 'notIn', 'between']);
  expect(operators('status')).toEqual(['equals']);
  expect(operators('tags')).toEqual(['equals', 'notEquals', 'contains', 'in', 'notIn']);
  expect(traces.dynamic_fields).toEqual([
    {
      pattern: 'metadata.<key>',
      key_pattern: '^[a-zA-Z_][a-zA-Z0-9_]{0,63}$',
      kind: 'metadata',
      operators: [...textual, 'exists', 'doesNotExist', 'in', 'notIn'],
    },
    { pattern: 'score__<name>', key_pattern: '^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$', kind: 'score', operators: [...comparing, 'between'] },
  ]);
  expect(traces.limits).toEqual({ max_predicates: 20, max_in_values: 50 });
  expect(scores.fields.map(({ name, kind }) => `${name}:${kind}`).join(' ')).toBe(
    'name:string source:string user_id:string resource_id:string label:string score:numeric created_at:datetime',
  );
  expect(scores.fields.at(-1)?.operators).toEqual(['gt', 'gte', 'lt', 'lte', 'between']);
  expect(scores.dynamic_fields).toEqual([]);
});

it('answers what its route declares', () => {
  const answer = { data: { resources: filterSchema() } };
  expect(contract.get.reply.parse(answer)).toEqual(answer);
});

it.each(['a', '_', 'a1', '1a', 'a-', '-a', 'a.b', '', 'A'.repeat(64), 'A'.repeat(65), 'é', 'a\n', '__proto__'])(
  'publishes the pattern that keys are checked by: %j',
  (key) => {
    for (const family of dynamicFields.spans) {
      expect(findField('spans', family.prefix + key) !== null).toBe(new RegExp(keyPattern(family)).test(key));
    }
  },
);
