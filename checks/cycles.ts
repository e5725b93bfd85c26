import type { Finding } from './finding.ts';
import type { Tree } from './tree.ts';

function edgesOf({ imports }: Tree): Map<string, string[]> {
  const edges = new Map<string, string[]>();
  for (const { from, to, isOurs, isLoaded } of imports)
    if (isOurs && isLoaded && from !== to) edges.set(from, [...(edges.get(from) ?? []), to]);
  return edges;
}

/** One circle of files for each way back to a file that is still being visited. Types may refer to each other: they load nothing. */
export function noCycles(tree: Tree): Finding[] {
  const edges = edgesOf(tree);
  const done = new Set<string>();
  const path: string[] = [];
  const found: Finding[] = [];

  const visit = (file: string): void => {
    const start = path.indexOf(file);
    if (start >= 0) {
      const what = `imports itself in a circle: ${[...path.slice(start), file].join(' > ')}`;
      found.push({ rule: 'no-cycles', file, what, instead: 'Move what both need to a file that imports neither.' });
      return;
    }
    if (done.has(file)) return;
    path.push(file);
    for (const to of edges.get(file) ?? []) visit(to);
    path.pop();
    done.add(file);
  };

  for (const file of edges.keys()) visit(file);
  return found;
}
