import { importedIds, refusalIn, requestsIn, tooLarge, traceFileWay, traceIdsIn } from '../../shared/trace-file.ts';
import { identityHeaders } from './identity.ts';

export type Dropped = { traceIds: string[] } | { why: string };

/** Sends a file that was dropped on the page: the traces that it names, as far as they can be seen from here, or why it was not taken. */
export async function sendDropped(file: File): Promise<Dropped> {
  const way = traceFileWay(file.name);
  if (file.size > way.bytesMax) return { why: tooLarge(file.size, way) };
  const text = way.isText ? await file.text() : null;
  const traceIds = text === null ? [] : traceIdsIn(text);
  for (const body of text === null ? [file] : requestsIn(text)) {
    const answer = await fetch(way.path, { method: 'POST', headers: { ...way.headers, ...identityHeaders() }, body });
    const said = await answer.text();
    if (!answer.ok) return { why: refusalIn(said) };
    traceIds.push(...importedIds(said));
  }
  return { traceIds };
}
