import type { Finding } from './finding.ts';
import type { Tree } from './tree.ts';

function edgesOf({ imports }: Tree): Map<string, string[]> {
  const edges = new Map<string, string[]>();
  for (const { from, to, isOurs, isLoaded } of imports)
    if (isOurs && isLoaded && from !== to) edges.set(from, [...(edges.get(from) ?? []), to]);
  return edges;
}

/** Reports each import cycle. Type imports may be circular, because they load nothing. */
export function noCycles(tree: Tree): Finding[] {
  const edges = edgesOf(tree);
  const done = new Set<string>();
  const path: string[] = [];
  const findings: Finding[] = [];

  const visit = (file: string): void => {
    const start = path.indexOf(file);
    if (start >= 0) {
      const what = `is in an import circle: ${[...path.slice(start), file].join(' > ')}`;
      findings.push({ rule: 'no-cycles', file, what, instead: 'Move what both need to a file that imports neither.' });
      return;
    }
    if (done.has(file)) return;
    path.push(file);
    for (const to of edges.get(file) ?? []) visit(to);
    path.pop();
    done.add(file);
  };

  for (const file of edges.keys()) visit(file);
  return findings;
}
