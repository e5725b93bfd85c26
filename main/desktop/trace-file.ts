/**
 * Sends a trace file to the gateway like an exporter: OTLP as JSON or protobuf, plain or gzip, or a trace archive. The file is only read, and
 * the gateway validates it.
 */
import { open } from 'node:fs/promises';
import {
  importedIds,
  refusalIn,
  requestsIn,
  type TraceFileUpload,
  tooLarge,
  traceFileUpload,
  traceIdsIn,
} from '../../shared/trace-file.ts';

export type ImportResult = { kind: 'imported'; traceIds: string[] } | { kind: 'refused'; why: string };

/** A pipe or a device would never end; a link is followed, because the user chose it. */
async function readBytes(path: string, way: TraceFileUpload): Promise<Buffer<ArrayBuffer> | string> {
  const file = await open(path, 'r').catch((error: NodeJS.ErrnoException) => `It cannot be read (${error.code}).`);
  if (typeof file === 'string') return file;
  try {
    const stats = await file.stat();
    if (!stats.isFile()) return 'It is not a file.';
    if (stats.size > way.bytesMax) return tooLarge(stats.size, way);
    return Buffer.from(await file.readFile());
  } finally {
    await file.close();
  }
}

/** @returns the ids of the imported traces, as far as the file or the response names them, or why it was refused */
export async function importTraceFile(path: string, gatewayUrl: string): Promise<ImportResult> {
  const way = traceFileUpload(path);
  const bytes = await readBytes(path, way);
  if (typeof bytes === 'string') return { kind: 'refused', why: bytes };
  const text = way.isText ? bytes.toString('utf8') : null;
  const traceIds = text === null ? [] : traceIdsIn(text);
  for (const body of text === null ? [bytes] : requestsIn(text)) {
    const response = await fetch(new URL(way.path, gatewayUrl), { method: 'POST', headers: way.headers, body }).catch(() => null);
    // The gateway may stop with the app while the file is sent.
    if (response === null) return { kind: 'refused', why: 'The gateway does not answer.' };
    const responseBody = await response.text();
    if (!response.ok) return { kind: 'refused', why: refusalIn(responseBody) };
    traceIds.push(...importedIds(responseBody));
  }
  return { kind: 'imported', traceIds };
}
