import { importedIds, refusalIn, requestsIn, tooLarge, traceFileUpload, traceIdsIn } from '../../shared/trace-file.ts';
import { identityHeaders } from './identity.ts';

export type DropResult = { traceIds: string[] } | { why: string };

/** Sends a file that was dropped on the page. Returns the trace ids that the file or the response names, or why it was refused. */
export async function sendDroppedFile(file: File): Promise<DropResult> {
  const way = traceFileUpload(file.name);
  if (file.size > way.bytesMax) return { why: tooLarge(file.size, way) };
  const text = way.isText ? await file.text() : null;
  const traceIds = text === null ? [] : traceIdsIn(text);
  for (const body of text === null ? [file] : requestsIn(text)) {
    const response = await fetch(way.path, { method: 'POST', headers: { ...way.headers, ...identityHeaders() }, body });
    const responseBody = await response.text();
    if (!response.ok) return { why: refusalIn(responseBody) };
    traceIds.push(...importedIds(responseBody));
  }
  return { traceIds };
}
