import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { inherited } from './ancestors.ts';

interface Span {
  id: string;
  parentId: string | null;
}

const byId = (spans: readonly Span[]) => new Map(spans.map((span): [string, Span] => [span.id, span]));
const pathOf = (spans: ReadonlyMap<string, Span>) =>
  inherited<Span, string>(
    spans,
    () => '',
    ({ id }, above) => `${above}/${id}`,
  );

describe('values of spans from those above', () => {
  it('are the same in whatever order they are asked for', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(20), { minLength: 1, maxLength: 20 }), fc.infiniteStream(fc.nat()), (parents, picks) => {
        // A parent has a lower number, or is missing.
        const spans = parents.map((parent, at) => ({
          id: String(at),
          parentId: parent < at ? String(parent) : at % 2 === 0 ? null : 'lost',
        }));
        const slowly = (span: Span): string => {
          const parent = spans.find(({ id }) => id === span.parentId);
          return parent ? `${slowly(parent)}/${parent.id}` : '';
        };
        const path = pathOf(byId(spans));
        for (const pick of picks.take(30)) {
          const span = spans[pick % spans.length] as Span;
          expect(path(span)).toBe(slowly(span));
        }
      }),
    );
  });

  it('are computed where parents go in a circle, or a span is its own parent', () => {
    const circle = [
      { id: 'a', parentId: 'b' },
      { id: 'b', parentId: 'a' },
      { id: 'c', parentId: 'b' },
      { id: 'd', parentId: 'd' },
    ];
    const path = pathOf(byId(circle));
    expect(circle.map(path)).toEqual(['', '/a', '/a/b', '']);
  });

  it('are computed once each, however deep spans are nested', () => {
    const spans = Array.from({ length: 5000 }, (_, at) => ({ id: String(at), parentId: at === 0 ? null : String(at - 1) }));
    let steps = 0;
    const depth = inherited<Span, number>(
      byId(spans),
      () => 0,
      (_, above) => {
        steps++;
        return above + 1;
      },
    );
    expect(depth(spans.at(-1) as Span)).toBe(4999);
    expect(spans.map(depth)).toEqual(spans.map((_, at) => at));
    expect(steps).toBe(4999);
  });
});
