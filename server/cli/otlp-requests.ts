/** A file of OTLP/JSON as requests of a size that a gateway takes: an exported trace may be larger than any request may be. */

/** UTF-16 units; a gateway takes 20 MiB. What is smaller goes as it is, to the letter. */
const wholeLengthMax = 6 * 1024 * 1024;

type Json = Record<string, unknown>;

export interface OtlpRequest {
  path: '/v1/traces' | '/v1/logs';
  text: string;
  /** Spans, or log records. */
  count: number;
}

interface Signal {
  path: OtlpRequest['path'];
  /** Names of the lists, from the outermost in. */
  lists: readonly [string, string, string];
}

const signals: readonly Signal[] = [
  { path: '/v1/traces', lists: ['resourceSpans', 'scopeSpans', 'spans'] },
  { path: '/v1/logs', lists: ['resourceLogs', 'scopeLogs', 'logRecords'] },
];

/** Null when the file is no OTLP/JSON, neither whole nor line by line. */
export function otlpRequests(text: string, lengthMax = wholeLengthMax): OtlpRequest[] | null {
  const lines = parsed(text) ? [text] : text.split('\n').filter((line) => line.trim() !== '');
  const requests = lines.map((line) => requestsOf(line, parsed(line), lengthMax));
  return requests.length > 0 && requests.every((each) => each !== null) ? requests.flat() : null;
}

function requestsOf(text: string, document: Json | null, lengthMax: number): OtlpRequest[] | null {
  const held = document === null ? [] : signals.filter(({ lists: [top] }) => Array.isArray(document[top]));
  if (document === null || held.length === 0) return null;
  return held.flatMap((signal) => {
    const items = [...itemsOf(document, signal)];
    return text.length <= lengthMax ? { path: signal.path, text, count: items.length } : packed(signal, items, lengthMax);
  });
}

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);

function parsed(text: string): Json | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

interface Item {
  resource: Json;
  scope: Json;
  item: unknown;
}

function* itemsOf(document: Json, { lists: [top, middle, leaf] }: Signal): Generator<Item> {
  for (const resource of listIn(document, top).filter(isObject))
    for (const scope of listIn(resource, middle).filter(isObject)) for (const item of listIn(scope, leaf)) yield { resource, scope, item };
}

const listIn = (parent: Json, name: string): unknown[] => (Array.isArray(parent[name]) ? parent[name] : []);

/** Each request repeats what its spans stand under. */
function packed({ path, lists: [top, middle, leaf] }: Signal, items: readonly Item[], lengthMax: number): OtlpRequest[] {
  const groups: Item[][] = [];
  let room = 0;
  for (const each of items) {
    const length = JSON.stringify(each).length;
    if (length > room) {
      groups.push([]);
      room = lengthMax;
    }
    room -= length;
    groups.at(-1)?.push(each);
  }
  return groups.map((group) => {
    const entries = group.map(({ resource, scope, item }) => ({ ...resource, [middle]: [{ ...scope, [leaf]: [item] }] }));
    return { path, text: JSON.stringify({ [top]: entries }), count: group.length };
  });
}
