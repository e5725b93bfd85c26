/** A trace file that was dropped on the page, sent to the gateway as an exporter would send it. */
const bytesMax = 20 * 1024 * 1024;

export type Dropped = { traceIds: string[] } | { why: string };

const isProtobuf = (name: string) => /\.(pb|binpb)(\.gz)?$/i.test(name);
const isGzip = (name: string) => /\.gz$/i.test(name);

/** Collectors write one request a line. */
function requestsIn(text: string): string[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const isLines = lines.length > 1 && lines.every((line) => line.startsWith('{') && line.trimEnd().endsWith('}'));
  return isLines ? lines : [text];
}

async function send(body: BodyInit, type: string, gzip: boolean): Promise<string | null> {
  const headers = { 'content-type': type, ...(gzip ? { 'content-encoding': 'gzip' } : {}) };
  const answer = await fetch('/v1/traces', { method: 'POST', headers, body });
  if (answer.ok) return null;
  const { error } = (await answer.json().catch(() => ({}))) as { error?: { message?: string } };
  return error?.message ?? `The gateway answered ${answer.status}`;
}

/** The traces that the file names, as far as they can be seen from here, or why it was not taken. */
export async function sendDropped(file: File): Promise<Dropped> {
  if (file.size > bytesMax) return { why: `It is too large: up to ${bytesMax / 1024 / 1024} MiB can be taken.` };
  if (isProtobuf(file.name) || isGzip(file.name)) {
    const type = isProtobuf(file.name) ? 'application/x-protobuf' : 'application/json';
    const why = await send(file, type, isGzip(file.name));
    return why === null ? { traceIds: [] } : { why };
  }
  const text = await file.text();
  for (const request of requestsIn(text)) {
    const why = await send(request, 'application/json', false);
    if (why !== null) return { why };
  }
  const ids = [...text.matchAll(/"trace_?id"\s*:\s*"([^"\\]{1,128})"/gi)].map((match) => match[1] as string);
  return { traceIds: [...new Set(ids)] };
}
