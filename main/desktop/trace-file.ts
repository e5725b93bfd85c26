/**
 * Sends a trace file to the gateway like an exporter: OTLP as JSON or protobuf, plain or gzip, or a trace archive. The file is only read, and
 * the gateway validates it.
 */
import { open } from 'node:fs/promises';
import { importedIds, refusalIn, requestsIn, type TraceFileWay, tooLarge, traceFileWay, traceIdsIn } from '../../shared/trace-file.ts';

export type Taken = { kind: 'taken'; traceIds: string[] } | { kind: 'refused'; why: string };

/** A pipe or a device would never end; a link is followed, because the user chose it. */
async function bytesOf(path: string, way: TraceFileWay): Promise<Buffer<ArrayBuffer> | string> {
  const file = await open(path, 'r').catch((error: NodeJS.ErrnoException) => `It cannot be read (${error.code}).`);
  if (typeof file === 'string') return file;
  try {
    const found = await file.stat();
    if (!found.isFile()) return 'It is not a file.';
    if (found.size > way.bytesMax) return tooLarge(found.size, way);
    return Buffer.from(await file.readFile());
  } finally {
    await file.close();
  }
}

/** @returns the traces that the file names, as far as they can be seen from here, or why it was not taken */
export async function takeTraceFile(path: string, gatewayUrl: string): Promise<Taken> {
  const way = traceFileWay(path);
  const bytes = await bytesOf(path, way);
  if (typeof bytes === 'string') return { kind: 'refused', why: bytes };
  const text = way.isText ? bytes.toString('utf8') : null;
  const traceIds = text === null ? [] : traceIdsIn(text);
  for (const body of text === null ? [bytes] : requestsIn(text)) {
    const answer = await fetch(new URL(way.path, gatewayUrl), { method: 'POST', headers: way.headers, body }).catch(() => null);
    // The gateway may stop with the app while the file is sent.
    if (answer === null) return { kind: 'refused', why: 'The gateway does not answer.' };
    const said = await answer.text();
    if (!answer.ok) return { kind: 'refused', why: refusalIn(said) };
    traceIds.push(...importedIds(said));
  }
  return { kind: 'taken', traceIds };
}
