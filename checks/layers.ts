/**
 * Layer order of the gateway: a top-level folder of server/ may import only from layers below it. Tests (`*.test.ts` and conformance suites
 * inside layers) may import anything; the test layers at the top obey the order.
 */
import type { Finding } from './finding.ts';
import { isTest } from './one-way.ts';
import type { Tree } from './tree.ts';

/** Top layer first. */
export const serverLayers = [
  'fixtures',
  'conformance',
  'cli',
  'entry',
  'cluster',
  'modules',
  'mcp',
  'reports',
  'app',
  'reference',
  'agents',
  'alerts',
  'retention',
  'queue-rules',
  'forwarding',
  'redaction',
  'git',
  'hosting',
  'agent-runs',
  'workers',
  'journal',
  'jobs',
  'identity',
  'limits',
  'project',
  'coordination',
  'control',
  'telemetry',
  'history',
  'ingest',
  'blobs',
  'mail',
  'platform',
] as const;

const testLayer = /^server\/(fixtures|conformance)\/(?!.*\.test\.ts$)/;
const layerOf = (file: string): string | undefined => /^server\/([^/]+)\//.exec(file)?.[1];

/** Undefined outside the listed layers. */
function heightOf(file: string): number | undefined {
  const at = (serverLayers as readonly (string | undefined)[]).indexOf(layerOf(file));
  return at < 0 ? undefined : serverLayers.length - at;
}

export function layersInOrder({ imports }: Tree): Finding[] {
  return imports.flatMap(({ from, to, isOurs, specifier }) => {
    const [here, there] = [heightOf(from), heightOf(to)];
    if (!isOurs || here === undefined || there === undefined || there <= here || (isTest(from) && !testLayer.test(from))) return [];
    return {
      rule: 'layer-order',
      file: from,
      what: `imports '${specifier}', and ${layerOf(from)} is below ${layerOf(to)}`,
      instead: 'Take it as an argument, or move the shared code to the lower layer. The order is in checks/layers.ts.',
    };
  });
}

/** An unlisted folder would escape the layer order. */
export function layersAreListed({ files }: Tree): Finding[] {
  const unlisted = files.filter((file) => file.startsWith('server/') && heightOf(file) === undefined);
  const layers = new Set(unlisted.map((file) => file.split('/').slice(0, 2).join('/')));
  const empty = serverLayers.filter((layer) => !files.some((file) => file.startsWith(`server/${layer}/`)));
  return [
    ...[...layers].map((file) => ({
      rule: 'layers-are-listed',
      file,
      what: 'is not in the layer order',
      instead: 'Add it to checks/layers.ts and to the README, above every layer that it imports.',
    })),
    ...empty.map((layer) => ({
      rule: 'layers-are-listed',
      file: `server/${layer}`,
      what: 'is in the layer order and has no files',
      instead: 'Remove it from checks/layers.ts.',
    })),
  ];
}
