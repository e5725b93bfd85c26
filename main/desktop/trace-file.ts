/**
 * A trace file of the user's, handed to the gateway as an exporter would: OTLP as JSON (also one request a line, as collectors
 * write it) or protobuf, plain or gzip. The file is only read, and the gateway judges what is in it.
 */
import { open } from 'node:fs/promises';
import { extname } from 'node:path';

export type Taken = { kind: 'taken'; traceIds: string[] } | { kind: 'refused'; why: string };

/** What the gateway takes in one request. */
const bytesMax = 20 * 1024 * 1024;

interface Body {
  bytes: Uint8Array<ArrayBuffer>;
  headers: Record<string, string>;
}

const json = (text: string): Body => ({ bytes: Buffer.from(text), headers: { 'content-type': 'application/json' } });

/** A pipe or a device would never end; a link is followed, because the user chose it. */
async function bytesOf(path: string): Promise<Buffer<ArrayBuffer> | string> {
  const file = await open(path, 'r').catch((error: NodeJS.ErrnoException) => `It cannot be read (${error.code}).`);
  if (typeof file === 'string') return file;
  try {
    const { size } = await file.stat();
    if (!(await file.stat()).isFile()) return 'It is not a file.';
    if (size > bytesMax) return `It has ${Math.ceil(size / 1024 / 1024)} MiB; up to ${bytesMax / 1024 / 1024} MiB can be taken.`;
    return Buffer.from(await file.readFile());
  } finally {
    await file.close();
  }
}

function bodiesOf(path: string, bytes: Buffer<ArrayBuffer>): Body[] {
  const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b;
  const inner = extname(isGzip ? path.replace(/\.gz$/i, '') : path).toLowerCase();
  const isProtobuf = inner === '.pb' || inner === '.binpb';
  const type = isProtobuf ? 'application/x-protobuf' : 'application/json';
  if (isGzip) return [{ bytes, headers: { 'content-type': type, 'content-encoding': 'gzip' } }];
  if (isProtobuf) return [{ bytes, headers: { 'content-type': type } }];
  const lines = bytes
    .toString('utf8')
    .split('\n')
    .filter((line) => line.trim() !== '');
  const isLines = lines.length > 1 && lines.every((line) => line.startsWith('{') && line.trimEnd().endsWith('}'));
  return isLines ? lines.map(json) : [{ bytes, headers: { 'content-type': type } }];
}

/** @returns the traces that the file names, as far as they can be seen from here, or why it was not taken */
export async function takeTraceFile(path: string, gatewayUrl: string): Promise<Taken> {
  const bytes = await bytesOf(path);
  if (typeof bytes === 'string') return { kind: 'refused', why: bytes };
  for (const { bytes: body, headers } of bodiesOf(path, bytes)) {
    const answer = await fetch(new URL('/v1/traces', gatewayUrl), { method: 'POST', headers, body });
    const said = await answer.text();
    if (!answer.ok) return { kind: 'refused', why: reasonOf(said) };
  }
  const ids = [...bytes.toString('latin1').matchAll(/"trace_?id"\s*:\s*"([^"\\]{1,128})"/gi)].map((match) => match[1] as string);
  return { kind: 'taken', traceIds: [...new Set(ids)] };
}

function reasonOf(answer: string): string {
  try {
    const { error } = JSON.parse(answer) as { error?: { message?: string } };
    return error?.message ?? 'The gateway refused it.';
  } catch {
    return 'The gateway refused it.';
  }
}
