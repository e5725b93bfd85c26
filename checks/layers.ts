/**
 * The rooms of the gateway, top-level folders of server/, stand in one order: a room may import from those below it and from no other.
 * Tests may name anything, so the test rooms at the top are bound by it and `*.test.ts` and the conformance suites inside rooms are not.
 */
import type { Finding } from './finding.ts';
import { isTest } from './one-way.ts';
import type { Tree } from './tree.ts';

/** From the top down. */
export const serverRooms = [
  'fixtures',
  'conformance',
  'cli',
  'entry',
  'modules',
  'app',
  'reference',
  'agents',
  'alerts',
  'forwarding',
  'redaction',
  'git',
  'hosting',
  'worker-runs',
  'workers',
  'identity',
  'limits',
  'project',
  'control',
  'telemetry',
  'ingest',
  'platform',
] as const;

const testRoom = /^server\/(fixtures|conformance)\/(?!.*\.test\.ts$)/;
const roomOf = (file: string): string | undefined => /^server\/([^/]+)\//.exec(file)?.[1];

/** Undefined for what is in no room that is listed. */
function heightOf(file: string): number | undefined {
  const at = (serverRooms as readonly (string | undefined)[]).indexOf(roomOf(file));
  return at < 0 ? undefined : serverRooms.length - at;
}

export function roomsInOrder({ imports }: Tree): Finding[] {
  return imports.flatMap(({ from, to, isOurs, specifier }) => {
    const [here, there] = [heightOf(from), heightOf(to)];
    if (!isOurs || here === undefined || there === undefined || there <= here || (isTest(from) && !testRoom.test(from))) return [];
    return {
      rule: 'rooms-in-order',
      file: from,
      what: `imports '${specifier}', and ${roomOf(from)} stands below ${roomOf(to)}`,
      instead: 'Take it as an argument, or move what both need to the lower of the two. The order is in checks/layers.ts.',
    };
  });
}

/** A folder that nobody put into the order would stand under no rule. */
export function roomsAreListed({ files }: Tree): Finding[] {
  const unlisted = files.filter((file) => file.startsWith('server/') && heightOf(file) === undefined);
  const rooms = new Set(unlisted.map((file) => file.split('/').slice(0, 2).join('/')));
  const empty = serverRooms.filter((room) => !files.some((file) => file.startsWith(`server/${room}/`)));
  return [
    ...[...rooms].map((file) => ({
      rule: 'rooms-are-listed',
      file,
      what: 'is not in the order of rooms',
      instead: 'Give it its place in checks/layers.ts and in the README, above all that it imports.',
    })),
    ...empty.map((room) => ({
      rule: 'rooms-are-listed',
      file: `server/${room}`,
      what: 'is in the order of rooms and holds nothing',
      instead: 'Take it out of checks/layers.ts.',
    })),
  ];
}
