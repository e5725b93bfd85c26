/** How a file of traces is handed to the gateway, by its name: the same for one that is dropped on the page and one that the desktop opens. */
import { archiveBytesMax, archiveType } from './contract/core/export-limits.ts';

export interface TraceFileWay {
  path: string;
  headers: Record<string, string>;
  /** The largest file that is taken. */
  bytesMax: number;
  /** JSON that can be read here: for its lines, and for the ids it names. */
  isText: boolean;
}

/** What the gateway takes in one request of OTLP. */
const otlpBytesMax = 20 * 1024 * 1024;

export const traceFileEndings = ['json', 'jsonl', 'pb', 'binpb', 'gz', 'capsule'];

export function traceFileWay(name: string): TraceFileWay {
  if (/\.capsule$/i.test(name))
    return { path: '/v1/viewer/import', headers: { 'content-type': archiveType }, bytesMax: archiveBytesMax, isText: false };
  const isGzip = /\.gz$/i.test(name);
  const isProtobuf = /\.(pb|binpb)(\.gz)?$/i.test(name);
  const headers = {
    'content-type': isProtobuf ? 'application/x-protobuf' : 'application/json',
    ...(isGzip ? { 'content-encoding': 'gzip' } : {}),
  };
  return { path: '/v1/traces', headers, bytesMax: otlpBytesMax, isText: !isGzip && !isProtobuf };
}

/** Collectors write one request a line. */
export function requestsIn(text: string): string[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const isLines = lines.length > 1 && lines.every((line) => line.startsWith('{') && line.trimEnd().endsWith('}'));
  return isLines ? lines : [text];
}

export const traceIdsIn = (text: string): string[] => [
  ...new Set([...text.matchAll(/"trace_?id"\s*:\s*"([^"\\]{1,128})"/gi)].map((match) => match[1] as string)),
];

/** What the gateway said of an import: the traces of a trace archive; of OTLP nothing. */
export function importedIds(answer: string): string[] {
  try {
    const { data } = JSON.parse(answer) as { data?: { trace_ids?: string[] } };
    return data?.trace_ids ?? [];
  } catch {
    return [];
  }
}

export function refusalIn(answer: string): string {
  try {
    const { error } = JSON.parse(answer) as { error?: { message?: string } };
    return error?.message ?? 'The gateway refused it.';
  } catch {
    return 'The gateway refused it.';
  }
}

export const tooLarge = (bytes: number, { bytesMax }: TraceFileWay): string =>
  `It has ${Math.ceil(bytes / 1024 / 1024)} MiB; up to ${bytesMax / 1024 / 1024} MiB can be taken.`;
