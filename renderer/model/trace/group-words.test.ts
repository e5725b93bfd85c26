import { describe, expect, it } from 'vitest';
import type { ComparedGroups, SeparatingFact } from '../../../shared/contract/tracing/compared-groups.ts';
import type { ComparedRun } from '../../../shared/contract/tracing/comparison.ts';
import { factPredicate, factSubject, groupVerdict } from './group-words.ts';

const fact = (change: Partial<SeparatingFact>): SeparatingFact => ({
  ...{ kind: 'tool', step_kind: 'tool', name: 'lookup_order', agent: '', field: '', value: '', a: [], b: [], separation: 1 },
  ...change,
});
const run = (status: 'OK' | 'ERROR', errors: number) => ({ status, errors }) as ComparedRun;
const places = (count: number) => Array.from({ length: count }, (_, at) => ({ run: at, span_id: String(at) }));
const groups = (a: ComparedRun[], b: ComparedRun[], facts: SeparatingFact[]): ComparedGroups => ({
  ...{ a: { runs: a, has_more: false }, b: { runs: b, has_more: false }, facts, compared: 40, is_whole: true },
});
const sentence = (of: ComparedGroups) => {
  const { before, name, after } = groupVerdict(of);
  return `${before}${name}${after}`;
};

const bad = [run('ERROR', 2), run('ERROR', 1), run('ERROR', 1)];
const good = [run('OK', 0)];

it.each([
  [{}, 'lookup_order was called'],
  [{ kind: 'step', step_kind: 'retrieval', name: 'handbook' }, 'handbook was a step'],
  [{ kind: 'step', step_kind: 'agent', name: 'checker' }, 'checker took part'],
  [{ kind: 'model', step_kind: 'llm', name: '', agent: 'planner', value: 'gpt-4o' }, 'gpt-4o was the model of planner'],
  [{ kind: 'setting', step_kind: 'llm', name: '', field: 'temperature', value: '1' }, 'The model had the setting temperature: 1'],
  [{ kind: 'tools', step_kind: 'llm', name: '', field: 'refund' }, 'The model was offered refund'],
  [
    { kind: 'prompt', step_kind: 'llm', name: '', agent: 'a', field: 'refund', value: '15' },
    'The model of a had the prompt refund, version 15',
  ],
  [{ kind: 'prompt', step_kind: 'llm', name: '', value: 'Be brief.' }, 'The model had the system prompt “Be brief.”'],
  [{ kind: 'argument', field: 'order', value: '7' }, 'lookup_order was called with order: 7'],
  [{ kind: 'result', value: 'none' }, 'lookup_order answered “none”'],
  [{ kind: 'result', step_kind: 'llm', name: '', field: 'finish_reason', value: 'length' }, 'The model stopped with length'],
  [{ kind: 'order', field: 'get_customer' }, 'get_customer came before lookup_order'],
  [{ kind: 'error', value: 'timeout' }, 'lookup_order failed with “timeout”'],
  [{ kind: 'error' }, 'lookup_order failed without a message'],
] as [Partial<SeparatingFact>, string][])('%j is told as: %s', (change, told) => {
  expect(`${factSubject(fact(change))} ${factPredicate(fact(change))}`).toBe(told);
});

describe('the verdict about two groups', () => {
  it('names what separates them best, with how many runs of each have it', () => {
    const found = fact({ kind: 'result', field: 'window', value: 'closed', a: places(2), separation: 0.67 });
    expect(sentence(groups(bad, good, [found]))).toBe('lookup_order answered window: closed in 2 of 3 failed runs and in 0 of 1 good run.');
    expect(sentence(groups(bad, [run('OK', 1)], [found]))).toContain('in 0 of 1 recovered run.');
    expect(sentence(groups([...bad, ...good], good, [found]))).toContain('in 2 of 4 runs of A and in 0 of 1 run of B.');
  });

  it('calls only runs failed whose root failed', () => {
    const found = fact({ a: places(2), separation: 0.67 });
    const [recovered, failed] = [run('OK', 1), run('ERROR', 0)];
    expect(sentence(groups([recovered, recovered], good, [found]))).toContain('in 2 of 2 recovered runs and in 0 of 1 good run.');
    expect(sentence(groups([recovered, failed], good, [found]))).toContain('in 2 of 2 runs with errors and in 0 of 1 good run.');
    expect(sentence(groups([recovered], [], []))).toBe('There are no good runs to compare.');
    expect(sentence(groups(good, [failed], [found]))).toContain('of 1 good run and in 0 of 1 failed run.');
    expect(sentence(groups([failed], [failed], [found]))).toContain('of 1 run of A and in 0 of 1 run of B.');
  });

  it('says that nothing separates them, or that a group is empty', () => {
    expect(sentence(groups(bad, good, [fact({ separation: 0.3 })]))).toBe('Nothing clearly separates the failed runs from the good runs.');
    expect(sentence(groups(bad, [], []))).toBe('There are no good runs to compare.');
    expect(sentence(groups([], good, []))).toBe('There are no runs of A to compare.');
  });
});
