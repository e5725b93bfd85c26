/**
 * Plants a breach of each rule in a copy of the tree, and expects `npm run check` to report each.
 * All at once, because a run of the check takes seconds.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type PlantedTree, plantedTree } from './fixtures/planted-tree.ts';
import { allowed, plants, unknownNames } from './fixtures/plants.ts';
import { oneWays } from './one-way.ts';

let tree: PlantedTree;
let code: number | null;
let output: string[];

/** With planted breaches. */
const steps = ['lint', 'dead code', 'structure', 'citations', 'words', 'contract lock', 'types'];

/** Replaces the generator of the API description as long as the tree has none. */
const generator = 'export const describeApi = () => ({ planted: true });\n';

function plantManifest(): void {
  const manifest = JSON.parse(readFileSync(join(tree.root, 'package.json'), 'utf8')) as Record<string, Record<string, string>>;
  Object.assign(manifest['devDependencies'] ?? {}, { planted: '^1.0.0' });
  Object.assign(manifest['scripts'] ?? {}, { planted: 'NAME=value node planted.ts' });
  tree.plant({
    'package.json': `${JSON.stringify(manifest, null, 2)}\n`,
    'package-lock.json': '{ "packages": { "planted": { "resolved": "https://planted.example/planted.tgz" } } }\n',
  });
}

beforeAll(() => {
  tree = plantedTree();
  for (const { files } of unknownNames) tree.plant(files);
  // Before the other breaches: some of them bring the types of Node into shared/, which must not know them.
  const compilerOutput = tree.run('node_modules/typescript/bin/tsc', '--build', 'shared', '--pretty', 'false').output;
  for (const { files } of plants) tree.plant(files);
  tree.plant(allowed);
  tree.plant({ 'docs/openapi.json': '{}\n' });
  if (!existsSync(join(tree.root, 'server/app/openapi.ts'))) tree.plant({ 'server/app/openapi.ts': generator });
  plantManifest();
  const result = tree.run('checks/check.ts', ...steps);
  code = result.code;
  output = `${compilerOutput}\n${result.output}`.split('\n');
}, 400_000);

afterAll(() => tree?.remove());

describe('npm run check refuses', () => {
  test.for([...plants, ...unknownNames])('$rule', ({ match }) => {
    expect(output.some((line) => match.test(line))).toBe(true);
  });

  test.for([
    'versions-are-exact: package.json',
    'scripts-run-anywhere: package.json',
    'lock-has-no-urls: package-lock.json',
    'contract-lock: docs/openapi.json',
  ])('%s', (line) => {
    expect(output.map((text) => text.trim())).toContain(line);
  });

  test.for(steps)('the step %s fails', (step) => {
    expect(output.some((line) => line.startsWith(`FAILED ${step} (`))).toBe(true);
  });

  test('the command fails with exit code 1', () => expect(code).toBe(1));
});

test('every one-way rule has a planted breach', () => {
  const planted = plants.map((plant) => plant.rule);
  expect(oneWays.map((way) => way.rule).filter((rule) => !planted.includes(rule))).toEqual([]);
});

test.for(Object.keys(allowed))('our own rules allow %s', (file) => {
  expect(output.filter((line) => new RegExp(`^ *[a-z-]+: ${file}`).test(line))).toEqual([]);
});

test('an updated API description passes the contract lock', () => {
  expect(tree.run('checks/contract-lock.ts', '--write').code).toBe(0);
  expect(tree.run('checks/contract-lock.ts').code).toBe(0);
});
