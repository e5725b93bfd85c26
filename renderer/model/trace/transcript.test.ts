import { describe, expect, it } from 'vitest';
import { aSpan } from '../../fixtures/a-span.ts';
import { aTree } from '../../fixtures/an-outline.ts';
import { layOutTranscript, spanMessages, toolCardOf } from './transcript.ts';

const messages = (...list: [role: string, content: unknown][]) => JSON.stringify(list.map(([role, content]) => ({ role, content })));
const texts = (cards: { type: string }[]) => cards.map((card) => ('text' in card ? card.text : card.type));

describe('script', () => {
  const tree = aTree([
    aSpan({ id: 'agent', span_kind: 'agent', duration_ms: 900 }),
    aSpan({ id: 'wrapper', parent_id: 'agent', span_kind: 'llm', at: 1 }),
    aSpan({ id: 'call', parent_id: 'wrapper', span_kind: 'llm', type: 'GENERATION', at: 2 }),
    aSpan({ id: 'tool', parent_id: 'agent', span_kind: 'tool', at: 10 }),
    aSpan({ id: 'sub', parent_id: 'tool', span_kind: 'agent', at: 11 }),
    aSpan({ id: 'subcall', parent_id: 'sub', span_kind: 'llm', at: 12 }),
    aSpan({ id: 'again', parent_id: 'agent', span_kind: 'llm', at: 20 }),
  ]);
  const script = layOutTranscript(tree);
  const of = <T>(value: (at: number) => T) => Object.fromEntries(tree.nodes.map(({ id, order }) => [id, value(order)]));

  it('shows the messages of the innermost call, and a wrapper as a line', () => {
    expect(of(script.part)).toEqual({
      agent: 'agent',
      wrapper: 'line',
      call: 'talk',
      tool: 'tool',
      sub: 'agent',
      subcall: 'talk',
      again: 'talk',
    });
  });

  it('finds the previous call of the same agent', () => {
    const named = of((at) => (script.before[at] === -1 ? '' : tree.idAt(script.before[at] as number)));
    expect(named).toMatchObject({ call: '', subcall: '', again: 'call' });
  });

  it('numbers the calls of a tool that is called more than once', () => {
    const calls = aTree([
      aSpan({ id: 'root', span_kind: 'agent', duration_ms: 900 }),
      ...['search', 'fetch', 'search', 'search'].map((name, at) =>
        aSpan({ id: `${at}`, parent_id: 'root', name, span_kind: 'tool', at: at + 1 }),
      ),
    ]);
    expect([...layOutTranscript(calls).nthCall]).toEqual([0, 1, 0, 2, 3]);
  });

  it('indents the spans of a sub-agent, not those of the first agent', () => {
    expect(of((at) => script.indent[at])).toMatchObject({ agent: 0, call: 0, sub: 0, subcall: 1, again: 0 });
  });
});

describe('talk', () => {
  it('shows only the input that the previous call did not have', () => {
    const before = aSpan({ input: messages(['system', 'Be brief'], ['user', 'Go']) });
    const now = aSpan({
      input: messages(['system', 'Be brief'], ['user', 'Go'], ['assistant', 'Done'], ['tool', 'ok'], ['user', 'More']),
      output: 'There',
    });
    const { input, output } = spanMessages(now, before, true);
    expect([texts(input), texts(output)]).toEqual([['More'], ['There']]);
    expect(texts(spanMessages(before, undefined, true).input)).toEqual(['Be brief', 'Go']);
  });

  it('names called tools that have spans of their own, and shows the calls otherwise', () => {
    const call = [{ type: 'tool-call', toolCallId: 'c1', toolName: 'search', args: { q: 'owls' } }];
    const span = aSpan({ output: messages(['assistant', call]) });
    expect(spanMessages(span, undefined, true)).toMatchObject({ output: [], calledTools: ['search'] });
    expect(spanMessages(span, undefined, false)).toMatchObject({ output: [{ type: 'tool', name: 'search' }], calledTools: [] });
  });

  it('uses the status message of a failed tool as its result', () => {
    const card = toolCardOf(aSpan({ status: 'ERROR', status_message: 'exit 1', input: '{"n":1}' }));
    expect(card).toMatchObject({ type: 'tool', args: { n: 1 }, result: { value: 'exit 1', isError: true } });
  });
});
