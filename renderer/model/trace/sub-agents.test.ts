import { describe, expect, it } from 'vitest';
import { aSpan } from '../../fixtures/a-span.ts';
import { aTree, type OutlinedSpan } from '../../fixtures/an-outline.ts';
import { subAgents } from './sub-agents.ts';

let clock = 0;
const span = (id: string, parent_id: string | null, fields: Partial<OutlinedSpan> = {}): OutlinedSpan => ({
  ...aSpan({ id, name: id, parent_id, at: ++clock }),
  ...fields,
});
const agent = (id: string, parent: string | null) => span(id, parent, { name: `invoke_agent ${id}`, span_kind: 'agent' });
const call = (id: string, parent: string, fields: Partial<OutlinedSpan> = {}) =>
  span(id, parent, { span_kind: 'llm', type: 'GENERATION', ...fields });
const tool = (id: string, parent: string, fields: Partial<OutlinedSpan> = {}) => span(id, parent, { span_kind: 'tool', ...fields });

const namesOf = (spans: OutlinedSpan[]) => subAgents(aTree(spans)).map(({ name }) => name);

describe('agents that an agent called', () => {
  it('are counted with everything below them', () => {
    const spans = [agent('main', null), call('c1', 'main'), tool('ask', 'main'), agent('helper', 'ask')];
    const tree = aTree([
      ...spans,
      call('h1', 'helper', { cost: 2 }),
      tool('t', 'helper', { status: 'ERROR' }),
      call('h2', 'helper', { cost: 1 }),
    ]);
    expect(subAgents(tree)).toEqual([
      { at: 3, name: 'helper', calls: 2, errors: 1, cost: 3, first: tree.placeOf('h1'), last: tree.placeOf('h2') },
    ]);
  });

  it('are those of the agent inside a wrapper, and not their own', () => {
    const spans = [agent('workflow', null), span('step', 'workflow'), agent('supervisor', 'step'), call('c', 'supervisor')];
    const called = [agent('writer', 'supervisor'), call('w', 'writer'), agent('checker', 'writer'), call('k', 'checker')];
    expect(namesOf([...spans, ...called])).toEqual(['writer']);
  });

  it('are all agents where none called the others', () => {
    const crew = [span('flow', null), agent('researcher', 'flow'), call('r', 'researcher'), agent('writer', 'flow'), call('w', 'writer')];
    expect(namesOf(crew)).toEqual(['researcher', 'writer']);
  });

  it('are none for one agent with its tools', () => {
    expect(namesOf([agent('main', null), call('c', 'main'), tool('t', 'main')])).toEqual([]);
    expect(namesOf([span('plain', null)])).toEqual([]);
  });
});
