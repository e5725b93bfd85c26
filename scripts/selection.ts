/** Which tests prove a change soonest: those that load what changed, the nearest first. */
import type { Import } from '../checks/import-graph.ts';
import { tierOf } from './tiers.ts';

export interface Selection {
  /** Test files for Vitest. */
  tests: string[];
  /** Related too, and for `npm test` to run. */
  left: string[];
  /** Journeys by files, below `e2e`. */
  journeys: string[];
}

export interface Sources {
  files: readonly string[];
  imports: readonly Pick<Import, 'from' | 'to' | 'isLoaded' | 'isAddress'>[];
}

/** Of those with a gateway or a process, which take some five seconds of processor time each: how many by their names, and how many at least. */
const [namedMax, slowMin] = [8, 4];
const journeysMax = 1;

const isTest = (file: string) => /\.test\.tsx?$/.test(file);
const isJourney = (file: string) => /^e2e\/[^/]+\.spec\.ts$/.test(file);

/**
 * All pure tests that load what changed; of the slow ones the nearest, and those that changed themselves. Journeys load nothing of the
 * viewer, so they go by the name of the screen.
 */
export function select(changed: readonly string[], sources: Sources): Selection {
  const distances = distancesFrom(changed, sources.imports);
  const related = sources.files.filter((file) => isTest(file) && distances.has(file));
  const pure = related.filter((file) => tierOf(file) === 'pure' || changed.includes(file));
  const slow = related.filter((file) => !pure.includes(file)).sort((a, b) => compare(nearness(a), nearness(b)));
  // Those that kill and those that ask at random take minutes: `npm test` has them.
  const gateway = slow.filter((file) => tierOf(file) === 'gateway');
  const alike = gateway.filter((file) => (nearness(file)[0] ?? 0) < 0);
  const nearest = gateway.slice(0, Math.max(slowMin, Math.min(namedMax, alike.length)));
  const screens = changed.filter((file) => /^renderer\/features\//.test(file));
  const shown = sources.files
    .filter(isJourney)
    .map((file) => ({ file, shared: Math.max(0, ...screens.map((screen) => sharedWords(file, screen))) }));
  const journeys = shown.filter(({ shared }) => shared > 0).sort((a, b) => b.shared - a.shared);
  return {
    tests: [...pure, ...nearest],
    left: slow.filter((file) => !nearest.includes(file)),
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

/** How many imports lie between each file and the nearest of those that changed. */
function distancesFrom(changed: readonly string[], imports: Sources['imports']): Map<string, number> {
  const importers = new Map<string, string[]>();
  for (const { from, to, isLoaded, isAddress } of imports)
    if (isLoaded || isAddress) importers.set(to, [...(importers.get(to) ?? []), from]);
  const distances = new Map(changed.map((file) => [file, 0]));
  // A map goes on to what is added while it is walked, which is in the order of the distances.
  for (const [file, distance] of distances)
    for (const importer of importers.get(file) ?? []) if (!distances.has(importer)) distances.set(importer, distance + 1);
  return distances;
}

const folders = (file: string) => file.split('/').slice(0, -1);

/** The part of the words in the name of a test that the path of a file has too: 0 to 1. `trace` counts a little less for `traces`. */
function sharedWords(test: string, file: string): number {
  const singular = (word: string) => word.replace(/s$/, '');
  const name = (test.split('/').at(-1) ?? '').replace(/(\.(gateway|crash|fuzz))?\.(test|spec)\.tsx?$/, '').replace(/^screens-/, '');
  const there = file.split(/[-./]/);
  const alike = there.map(singular);
  const words = name.split(/[-.]/);
  const shared = words.map((word) => (there.includes(word) ? 1 : alike.includes(singular(word)) ? 0.9 : 0));
  return shared.reduce<number>((sum, part) => sum + part, 0) / words.length;
}

function sharedFolders(test: string, file: string): number {
  const [ours, theirs] = [folders(test), folders(file)];
  const differs = ours.findIndex((folder, at) => folder !== theirs[at]);
  return differs === -1 ? ours.length : differs;
}
