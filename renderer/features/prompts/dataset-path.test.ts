import { expect, it } from 'vitest';
import { datasetAt } from './dataset-path.ts';

it.each([
  ['shop/refund.prompt.mdx', './rows.jsonl', 'shop/rows.jsonl'],
  ['shop/refund.prompt.mdx', '../qa/rows.jsonl', 'qa/rows.jsonl'],
  ['refund.prompt.mdx', './rows.jsonl', 'rows.jsonl'],
  ['shop/refund.prompt.mdx', 'qa/rows.jsonl', 'qa/rows.jsonl'],
  ['refund.prompt.mdx', '../rows.jsonl', null],
  ['refund.prompt.mdx', 'rows.csv', null],
])('%s refers to %s: %s', (prompt, datasetPath, dataset) => {
  expect(datasetAt(prompt, datasetPath)).toBe(dataset);
});
