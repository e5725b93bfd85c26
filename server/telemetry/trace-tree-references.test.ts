import fc from 'fast-check';
import { expect, it } from 'vitest';
import { propertyRuns } from '../fixtures/property-runs.ts';
import { TraceTree } from './trace-tree.ts';

const ids = ['s0', 's1', 's2', 's3', 's4'];
const fields = fc.record({
  span_id: fc.constantFrom(...ids),
  parent_id: fc.option(fc.constantFrom(...ids, 'gone')),
  start_us: fc.nat(3),
  has_input: fc.boolean(),
  has_output: fc.boolean(),
  placeholder: fc.boolean(),
  name: fc.nat(2),
  trace_name: fc.nat(2),
  session: fc.nat(2),
  user: fc.nat(2),
});
const spanForest = fc.uniqueArray(fields, { selector: ({ span_id }) => span_id, minLength: 1 });

const same = { start_rest_ns: 0, duration_ns: 1, status: 0, generation: true, pending: false, bookkeeping: false } as const;
const plain = { ...same, cost: null, tokens: null, input_tokens: null, output_tokens: null };

it.each(['', null])('a store may refer to texts by themselves, and to no text by %j', (none) => {
  const textOf = (reference: number) => (reference === 0 ? none : `text ${reference}`);
  const noRead = () => false;
  fc.assert(
    fc.property(spanForest, (spans) => {
      const numbers = new TraceTree<number, number>();
      const texts = new TraceTree<string, string | null>();
      for (const span of spans) {
        const { span_id, name, trace_name, session, user } = span;
        numbers.put({ ...plain, ...span, row: ids.indexOf(span_id), metadata: 0 });
        const own = { name: textOf(name), trace_name: textOf(trace_name), session: textOf(session), user: textOf(user) };
        texts.put({ ...plain, ...span, ...own, row: span_id, metadata: none });
      }
      const [expected, found] = [numbers.rollUp(noRead), texts.rollUp(noRead)];
      expect(found?.span_count).toBe(expected?.span_count);
      if (!found || !expected) return;
      const { name, session, user, sessions } = expected;
      expect([found.name, found.session, found.user, [...found.sessions]]).toEqual([
        textOf(name),
        textOf(session),
        textOf(user),
        [...sessions].map(textOf),
      ]);
      for (const part of ['root', 'input', 'output'] as const) expect(found[part]?.row).toBe(ids[expected[part]?.row ?? -1]);
    }),
    { numRuns: propertyRuns(1_000) },
  );
});
