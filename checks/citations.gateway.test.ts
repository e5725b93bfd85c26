/** The proof that citations are checked: one of each broken kind is planted in a copy of the tree, and named with its line. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { brokenCitations, soundCitations } from './fixtures/citations.ts';
import { type PlantedTree, plantedTree } from './fixtures/planted-tree.ts';

let tree: PlantedTree;
let before: number | null;
let ran: ReturnType<PlantedTree['run']>;

beforeAll(() => {
  tree = plantedTree();
  before = tree.run('checks/citations.ts').code;
  for (const { file, text } of brokenCitations) tree.plant({ [file]: text });
  tree.plant(soundCitations);
  ran = tree.run('checks/citations.ts');
}, 120_000);

afterAll(() => tree?.remove());

test('the tree itself passes', () => expect(before).toBe(0));

test.for(brokenCitations)('$what is refused', ({ sees }) => {
  expect(ran.printed.split('\n').filter((line) => line.startsWith(sees))).toHaveLength(1);
});

test('with an exit code', () => expect(ran.code).toBe(1));

test('nothing else is refused', () => {
  const places = ran.printed.split('\n').filter((line) => /^[a-z-]+: /.test(line));
  expect(places.filter((line) => !brokenCitations.some(({ sees }) => line.startsWith(sees)))).toEqual([]);
});
