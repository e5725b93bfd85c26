/** Splits a file of OTLP/JSON into requests that a gateway accepts: an exported trace may be larger than one request may be. */

/** In UTF-16 code units; a gateway accepts 20 MiB. Smaller files are sent unchanged, byte for byte. */
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
  /** Names of the nested lists, outermost first. */
  lists: readonly [string, string, string];
}

const signals: readonly Signal[] = [
  { path: '/v1/traces', lists: ['resourceSpans', 'scopeSpans', 'spans'] },
  { path: '/v1/logs', lists: ['resourceLogs', 'scopeLogs', 'logRecords'] },
];

/** Null when the file is not OTLP/JSON, neither as a whole nor line by line. */
export function otlpRequests(text: string, lengthMax = wholeLengthMax): OtlpRequest[] | null {
  const lines = parsed(text) ? [text] : text.split('\n').filter((line) => line.trim() !== '');
  const requests = lines.map((line) => requestsOf(line, parsed(line), lengthMax));
  return requests.length > 0 && requests.every((request) => request !== null) ? requests.flat() : null;
}

function requestsOf(text: string, document: Json | null, lengthMax: number): OtlpRequest[] | null {
  const present = document === null ? [] : signals.filter(({ lists: [top] }) => Array.isArray(document[top]));
  if (document === null || present.length === 0) return null;
  return present.flatMap((signal) => {
    const items = [...itemsOf(document, signal)];
    return text.length <= lengthMax ? { path: signal.path, text, count: items.length } : splitItems(signal, items, lengthMax);
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

/** Every entry of a request repeats the resource and scope of its item. */
function splitItems({ path, lists: [top, middle, leaf] }: Signal, items: readonly Item[], lengthMax: number): OtlpRequest[] {
  const groups: Item[][] = [];
  let room = 0;
  for (const item of items) {
    const length = JSON.stringify(item).length;
    if (length > room) {
      groups.push([]);
      room = lengthMax;
    }
    room -= length;
    groups.at(-1)?.push(item);
  }
  return groups.map((group) => {
    const entries = group.map(({ resource, scope, item }) => ({ ...resource, [middle]: [{ ...scope, [leaf]: [item] }] }));
    return { path, text: JSON.stringify({ [top]: entries }), count: group.length };
  });
}
