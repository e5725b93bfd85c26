import { describe, expect, it } from 'vitest';
import type { SemanticKind } from '../../../shared/contract/tracing/semantic-kinds.ts';
import { ModelCalls } from './model-calls.ts';

/** Spans as `id parent kind`. */
const callsOf = (...spans: string[]) => {
  const tree = new ModelCalls(
    spans.map((span) => {
      const [id, parentId, kind] = span.split(' ') as [string, string, SemanticKind];
      return { id, parentId: parentId === '-' ? null : parentId, kind };
    }),
  );
  return tree.ids.map((id) => [id, tree.surroundingsOf(id).agentId, tree.surroundingsOf(id).wrapperId]);
};

describe('model calls of a run', () => {
  it('belong to the nearest agent, or to a tool that makes them by itself', () => {
    const found = callsOf(
      'lead - agent',
      'step lead function',
      'a step llm',
      'tool a tool',
      'b tool llm',
      'sub tool agent',
      'c sub llm',
      'd - llm',
    );
    expect(found).toEqual([
      ['a', 'lead', null],
      ['b', 'tool', null],
      ['c', 'sub', null],
      ['d', null, null],
    ]);
  });

  it('are counted once where two libraries report one call', () => {
    expect(callsOf('outer - llm', 'inner outer llm')).toEqual([['inner', null, 'outer']]);
    expect(callsOf('loop - llm', 'a loop llm', 'b loop llm')).toEqual([
      ['a', null, null],
      ['b', null, null],
    ]);
  });

  it('are found by a few looks at the parent of each span, however deep it is nested', () => {
    let looks = 0;
    const spans = Array.from({ length: 2000 }, (_, at) => ({
      id: String(at),
      kind: at === 0 ? ('agent' as const) : ('llm' as const),
      get parentId() {
        looks++;
        return at === 0 ? null : String(at - 1);
      },
    }));
    const tree = new ModelCalls(spans);
    expect(tree.ids).toEqual(['1999']);
    expect(tree.surroundingsOf('1999')).toEqual({ agentId: '0', wrapperId: '1998' });
    expect(looks).toBeLessThan(5 * spans.length);
  });

  it('are found where parents are missing or go in a circle', () => {
    expect(callsOf('a b llm', 'b c function', 'c b function', 'd lost llm').map(([id]) => id)).toEqual(['a', 'd']);
    expect(callsOf('a b llm', 'b a llm', 'c c llm').map(([id]) => id)).toEqual(['b', 'c']);
  });
});
