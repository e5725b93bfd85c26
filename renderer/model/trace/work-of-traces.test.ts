import { describe, expect, it } from 'vitest';
import { aSpan } from '../../fixtures/a-span.ts';
import { aTree } from '../../fixtures/an-outline.ts';
import { costByAgent, largestInput, toolsOfTraces } from './work-of-traces.ts';

const call = { span_kind: 'llm', type: 'GENERATION' } as const;

const turn = (failed: boolean) =>
  aTree([
    aSpan({ id: 'main', name: 'invoke_agent refund', span_kind: 'agent' }),
    aSpan({ id: 'c1', parent_id: 'main', at: 1, ...call, cost: 1, input_tokens: 100 }),
    aSpan({ id: 'helper', name: 'checker', parent_id: 'main', at: 2, span_kind: 'agent' }),
    aSpan({ id: 'c2', parent_id: 'helper', at: 3, ...call, cost: 3, input_tokens: 900 }),
    aSpan({ id: 't', name: 'lookup', parent_id: 'helper', at: 4, span_kind: 'tool', duration_ms: 20, status: failed ? 'ERROR' : 'OK' }),
  ]);

describe('work of the traces of a session', () => {
  it('gives each cost to the agent that caused it', () => {
    expect(costByAgent([turn(false), turn(false)])).toEqual([
      { name: 'checker', cost: 6 },
      { name: 'refund', cost: 2 },
    ]);
    expect(costByAgent([aTree([aSpan({ span_kind: 'agent' })])])).toEqual([]);
  });

  it('adds up the calls and errors of each tool', () => {
    expect(toolsOfTraces([turn(false), turn(true)])).toEqual([{ name: 'lookup', calls: 2, errors: 1, running: 0, longest: 20 }]);
    const running = aTree([{ ...aSpan({ name: 'lookup', span_kind: 'tool', duration_ms: 0 }), pending: true }]);
    expect(toolsOfTraces([turn(false), running])).toMatchObject([{ calls: 2, running: 1, longest: 20 }]);
  });

  it('finds the largest input of model calls', () => {
    expect([largestInput(turn(false)), largestInput(aTree([aSpan({ input_tokens: 5 })]))]).toEqual([900, 0]);
  });
});
