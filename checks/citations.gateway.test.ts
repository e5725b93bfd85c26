/** Plants one broken citation of each kind in a copy of the tree, and expects the check to report each with its line. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { brokenCitations, validCitations } from './fixtures/citations.ts';
import { type PlantedTree, plantedTree } from './fixtures/planted-tree.ts';

let tree: PlantedTree;
let codeBefore: number | null;
let result: ReturnType<PlantedTree['run']>;

beforeAll(() => {
  tree = plantedTree();
  codeBefore = tree.run('checks/citations.ts').code;
  for (const { file, text } of brokenCitations) tree.plant({ [file]: text });
  tree.plant(validCitations);
  result = tree.run('checks/citations.ts');
});

afterAll(() => tree?.remove());

test('the tree itself passes', () => expect(codeBefore).toBe(0));

test.for(brokenCitations)('$what is refused', ({ expected }) => {
  expect(result.output.split('\n').filter((line) => line.startsWith(expected))).toHaveLength(1);
});

test('the check fails with exit code 1', () => expect(result.code).toBe(1));

test('nothing else is refused', () => {
  const reported = result.output.split('\n').filter((line) => /^[a-z-]+: /.test(line));
  expect(reported.filter((line) => !brokenCitations.some(({ expected }) => line.startsWith(expected)))).toEqual([]);
});
