import { expect, it } from 'vitest';
import { draftOf, problemsOf, type TypedRun } from './run-draft.ts';

const typed: TypedRun = { name: '', prompt: '', concurrency: '5', rows: '', evals: new Set() };

it('what is left empty is left to the gateway', () => {
  expect(draftOf('a.jsonl', typed)).toEqual({ dataset: 'a.jsonl', evals: [], concurrency: 5 });
  const all = { name: ' x ', prompt: 'p.prompt.mdx ', concurrency: '2', rows: '10', evals: new Set(['e']) };
  const draft = { dataset: 'a.jsonl', evals: ['e'], concurrency: 2, name: 'x', prompt: 'p.prompt.mdx', row_limit: 10 };
  expect(draftOf('a.jsonl', all)).toEqual(draft);
});

it.each<[change: Partial<TypedRun>, fields: string[]]>([
  [{}, []],
  [{ prompt: 'a.mdx' }, ['prompt']],
  [{ concurrency: '0' }, ['concurrency']],
  [{ concurrency: '' }, ['concurrency']],
  [{ concurrency: '51' }, ['concurrency']],
  [{ concurrency: '1.5' }, ['concurrency']],
  [{ rows: '0' }, ['rows']],
  [{ rows: 'all' }, ['rows']],
  [{ rows: '7' }, []],
])('%o: what is wrong is said at %o', (change, fields) => {
  expect(Object.keys(problemsOf({ ...typed, ...change }))).toEqual(fields);
});
