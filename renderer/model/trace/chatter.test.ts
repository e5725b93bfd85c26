import { describe, expect, it } from 'vitest';
import { aSpan } from '../../fixtures/a-span.ts';
import { aTree, type OutlinedSpan } from '../../fixtures/an-outline.ts';
import { aboveChatter, chatterOf } from './chatter.ts';
import { unfoldedRows } from './span-rows.ts';

let clock = 0;
const span = (id: string, parent_id: string | null, fields: Partial<OutlinedSpan> = {}): OutlinedSpan => ({
  ...aSpan({ id, name: id, parent_id, at: ++clock }),
  ...fields,
});
const chunk = (id: string, parent: string, fields: Partial<OutlinedSpan> = {}) =>
  span(id, parent, { name: 'model_chunk Weather Agent', ...fields });
const own = (id: string, parent: string | null) => span(id, parent, { bookkeeping: true });

/** Ids of the rows that are left. */
function rowsOf(spans: OutlinedSpan[]): string[] {
  const tree = aTree(spans);
  const chatter = chatterOf(tree);
  return [...unfoldedRows(tree, new Set(chatter.folded.map(tree.idAt)), chatter.length)].map(tree.idAt);
}

describe('steps of a framework', () => {
  it('folds the chunks of a model call into it', () => {
    const call = span('call', 'agent', { span_kind: 'llm', type: 'GENERATION', tokens: 9 });
    expect(rowsOf([span('agent', null, { span_kind: 'agent' }), call, chunk('c1', 'call'), chunk('c2', 'call')])).toEqual([
      'agent',
      'call',
    ]);
  });

  it('shows adjacent ones once, with what is below them, beside other spans', () => {
    const spans = [span('turn', null), own('a', 'turn'), own('a1', 'a'), own('b', 'turn'), span('tool', 'turn', { span_kind: 'tool' })];
    expect(rowsOf([...spans, own('c', 'turn')])).toEqual(['turn', 'a', 'tool', 'c']);
    expect(chatterOf(aTree(spans)).length[1]).toBe(3);
  });

  it('hides nothing that failed, runs or has tokens, nor the spans around it', () => {
    const call = span('call', null, { span_kind: 'llm' });
    const unusual = [{ status: 'ERROR' as const }, { pending: true }, { tokens: 3 }];
    for (const fields of unusual) expect(rowsOf([call, chunk('c1', 'call'), chunk('c2', 'call', fields)])).toEqual(['call', 'c1', 'c2']);
  });

  it('takes neither a trace of nothing else nor tools with such a name for chatter', () => {
    expect(rowsOf([own('root', null), own('a', 'root'), own('b', 'a')])).toEqual(['root', 'a', 'b']);
    expect(rowsOf([span('root', null), chunk('t', 'root', { span_kind: 'tool' })])).toEqual(['root', 't']);
  });

  it('finds what to select in place of a step', () => {
    const tree = aTree([span('call', null, { span_kind: 'llm' }), own('a', 'call'), own('a1', 'a')]);
    const at = (id: string) => tree.placeOf(id) as number;
    expect([aboveChatter(chatterOf(tree), tree, at('a1')), aboveChatter(chatterOf(tree), tree, at('call'))]).toEqual([
      at('call'),
      at('call'),
    ]);
  });
});
