/** Selects the tests for a change: those that load the changed files, the nearest first. */
import type { Import } from '../checks/import-graph.ts';
import { tierOf } from './tiers.ts';

export interface Selection {
  /** Test files for Vitest. */
  tests: string[];
  /** Related test files that are left to `npm test`. */
  omitted: string[];
  /** Journey files below `e2e`. */
  journeys: string[];
}

export interface Sources {
  files: readonly string[];
  imports: readonly Pick<Import, 'from' | 'to' | 'isLoaded' | 'isAddress'>[];
}

/** Tests with a gateway or a process take some five seconds of CPU time each: at most 8 by name, at least 4. */
const [sameNameMax, slowMin] = [8, 4];
const journeysMax = 1;

const isTest = (file: string) => /\.test\.tsx?$/.test(file);
const isJourney = (file: string) => /^e2e\/[^/]+\.spec\.ts$/.test(file);

/**
 * All pure tests that load a changed file; of the slow tests the nearest, and the changed ones. Journeys import nothing of the viewer, so
 * they are selected by the name of the screen.
 */
export function select(changed: readonly string[], sources: Sources): Selection {
  const distances = distancesFrom(changed, sources.imports);
  const related = sources.files.filter((file) => isTest(file) && distances.has(file));
  const pure = related.filter((file) => tierOf(file) === 'pure' || changed.includes(file));
  const slow = related.filter((file) => !pure.includes(file)).sort((a, b) => compare(nearness(a), nearness(b)));
  // Crash and fuzz tests take minutes, so they are left to `npm test`.
  const gateway = slow.filter((file) => tierOf(file) === 'gateway');
  const sameName = gateway.filter((file) => (nearness(file)[0] ?? 0) < 0);
  const nearest = gateway.slice(0, Math.max(slowMin, Math.min(sameNameMax, sameName.length)));
  const screens = changed.filter((file) => /^renderer\/features\//.test(file));
  const scored = sources.files
    .filter(isJourney)
    .map((file) => ({ file, shared: Math.max(0, ...screens.map((screen) => sharedWords(file, screen))) }));
  const journeys = scored.filter(({ shared }) => shared > 0).sort((a, b) => b.shared - a.shared);
  return {
    tests: [...pure, ...nearest],
    omitted: slow.filter((file) => !nearest.includes(file)),
    journeys: [...new Set([...changed.filter(isJourney), ...journeys.slice(0, journeysMax).map(({ file }) => file)])],
  };

  function nearness(test: string): number[] {
    const code = changed.filter((file) => !isTest(file));
    const most = (measure: (test: string, file: string) => number) => Math.max(0, ...code.map((file) => measure(test, file)));
    return [-most(sharedWords), -most(sharedFolders), distances.get(test) ?? 0];
  }
}

function compare(a: readonly number[], b: readonly number[]): number {
  for (const [at, value] of a.entries()) if (value !== b[at]) return value - (b[at] ?? 0);
  return 0;
}

/** The files that load one of these, and these. */
export const dependentsOf = (files: readonly string[], imports: Sources['imports']): ReadonlySet<string> =>
  new Set(distancesFrom(files, imports).keys());

/** The number of imports between each file and the nearest changed file. */
function distancesFrom(changed: readonly string[], imports: Sources['imports']): Map<string, number> {
  const importers = new Map<string, string[]>();
  for (const { from, to, isLoaded, isAddress } of imports)
    if (isLoaded || isAddress) importers.set(to, [...(importers.get(to) ?? []), from]);
  const distances = new Map(changed.map((file) => [file, 0]));
  // Iterating a map includes entries that are added meanwhile, so this visits files in order of distance.
  for (const [file, distance] of distances)
    for (const importer of importers.get(file) ?? []) if (!distances.has(importer)) distances.set(importer, distance + 1);
  return distances;
}

const folders = (file: string) => file.split('/').slice(0, -1);

/** The share of the words in a test's name that also occur in the path of a file: 0 to 1. `trace` for `traces` counts a little less. */
function sharedWords(test: string, file: string): number {
  const singular = (word: string) => word.replace(/s$/, '');
  const name = (test.split('/').at(-1) ?? '').replace(/(\.(gateway|crash|fuzz))?\.(test|spec)\.tsx?$/, '').replace(/^screens-/, '');
  const pathWords = file.split(/[-./]/);
  const singularWords = pathWords.map(singular);
  const words = name.split(/[-.]/);
  const shared = words.map((word) => (pathWords.includes(word) ? 1 : singularWords.includes(singular(word)) ? 0.9 : 0));
  return shared.reduce<number>((sum, part) => sum + part, 0) / words.length;
}

function sharedFolders(test: string, file: string): number {
  const [ours, theirs] = [folders(test), folders(file)];
  const differs = ours.findIndex((folder, at) => folder !== theirs[at]);
  return differs === -1 ? ours.length : differs;
}
