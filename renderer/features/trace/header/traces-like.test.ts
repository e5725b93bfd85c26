import { expect, it } from 'vitest';
import type { RawSpanReply } from '../../../../shared/contract/tracing/raw-span.ts';
import { parseFilterText } from '../../../../shared/filter/parse-text.ts';
import { tracesLike } from './traces-like.ts';

const raw = {
  provenance: { model: 'llm.model_name', session_id: 'session.id' },
  values: { model: 'gpt "4o" and more', session_id: 's1' },
} as unknown as RawSpanReply;

it('filters the list by a normalised value, in a filter that is parsed back to the same value', () => {
  const link = tracesLike(raw, { key: 'llm.model_name', value: 'gpt "4o" and more' }, {});
  expect(parseFilterText('traces', link?.filter ?? '')).toMatchObject({ clauses: [[{ field: 'model', values: ['gpt "4o" and more'] }]] });
  expect(tracesLike(raw, { key: 'session.id', value: 's1' }, {})).toEqual({ filter: 'session_id = s1' });
});

it('filters by metadata only where the span has it', () => {
  const attribute = { key: 'langfuse.trace.metadata.team', value: 'blue' };
  expect(tracesLike(raw, attribute, { team: 'blue' })).toEqual({ filter: 'metadata.team = blue' });
  expect(tracesLike(raw, attribute, { team: 'red' })).toBeNull();
  expect(tracesLike(raw, { key: '__proto__', value: 'x' }, {})).toBeNull();
  expect(tracesLike(raw, { key: 'other', value: 'x'.repeat(501) }, {})).toBeNull();
});
