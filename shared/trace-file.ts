/** How a trace file is sent to the gateway, chosen by its name: for files that are dropped on the page and files that the desktop opens. */
import { archiveBytesMax, archiveType } from './contract/core/export-limits.ts';

export interface TraceFileUpload {
  path: string;
  headers: Record<string, string>;
  /** The largest file that is accepted. */
  bytesMax: number;
  /** Plain JSON, which can be split into requests and searched for trace ids. */
  isText: boolean;
}

/** The gateway's limit for one OTLP request. */
const otlpBytesMax = 20 * 1024 * 1024;

export const traceFileExtensions = ['json', 'jsonl', 'pb', 'binpb', 'gz', 'capsule'];

export function traceFileUpload(name: string): TraceFileUpload {
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

/** Collectors write one request per line. */
export function requestsIn(text: string): string[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const isLines = lines.length > 1 && lines.every((line) => line.startsWith('{') && line.trimEnd().endsWith('}'));
  return isLines ? lines : [text];
}

export const traceIdsIn = (text: string): string[] => [
  ...new Set([...text.matchAll(/"trace_?id"\s*:\s*"([^"\\]{1,128})"/gi)].map((match) => match[1] as string)),
];

/** The trace ids in the answer to an import. Only answers to trace archives have any. */
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

export const tooLarge = (bytes: number, { bytesMax }: TraceFileUpload): string =>
  `It has ${Math.ceil(bytes / 1024 / 1024)} MiB; the limit is ${bytesMax / 1024 / 1024} MiB.`;
