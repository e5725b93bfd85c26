import { expect, it } from 'vitest';
import { draftOf, problemsOf, type RunFields } from './run-draft.ts';

const baseFields: RunFields = { name: '', prompt: '', concurrency: '5', rows: '', evals: new Set() };

it('empty fields are left out of the request', () => {
  expect(draftOf('a.jsonl', baseFields)).toEqual({ dataset: 'a.jsonl', evals: [], concurrency: 5 });
  const all = { name: ' x ', prompt: 'p.prompt.mdx ', concurrency: '2', rows: '10', evals: new Set(['e']) };
  const draft = { dataset: 'a.jsonl', evals: ['e'], concurrency: 2, name: 'x', prompt: 'p.prompt.mdx', row_limit: 10 };
  expect(draftOf('a.jsonl', all)).toEqual(draft);
});

it.each<[change: Partial<RunFields>, fields: string[]]>([
  [{}, []],
  [{ prompt: 'a.mdx' }, ['prompt']],
  [{ concurrency: '0' }, ['concurrency']],
  [{ concurrency: '' }, ['concurrency']],
  [{ concurrency: '51' }, ['concurrency']],
  [{ concurrency: '1.5' }, ['concurrency']],
  [{ rows: '0' }, ['rows']],
  [{ rows: 'all' }, ['rows']],
  [{ rows: '7' }, []],
])('%o has problems at the fields %o', (change, fields) => {
  expect(Object.keys(problemsOf({ ...baseFields, ...change }))).toEqual(fields);
});
