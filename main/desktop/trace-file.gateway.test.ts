import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type LocalGateway, startLocalGateway } from '../../server/entry/local.ts';
import { importTraceFile } from './trace-file.ts';

let home: string;
let gateway: LocalGateway;
beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'glasshouse-file-'));
  gateway = await startLocalGateway({ port: 0, dataDir: join(home, 'data'), projectDir: home });
});
afterAll(async () => {
  await gateway.stop();
  rmSync(home, { recursive: true });
});

const span = (id: string) => ({
  traceId: id.repeat(32),
  spanId: id.repeat(16),
  name: id,
  startTimeUnixNano: '1700000000000000000',
  endTimeUnixNano: '1700000001000000000',
});
const request = (...ids: string[]) => JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: ids.map(span) }] }] });
const file = (name: string, content: string | Buffer) => {
  writeFileSync(join(home, name), content);
  return join(home, name);
};
const isStored = async (id: string) => (await fetch(new URL(`/v1/traces/${id.repeat(32)}`, gateway.url))).status === 200;

test('JSON, gzip and one request per line are imported', async () => {
  expect(await importTraceFile(file('one.json', request('a')), gateway.url)).toEqual({ kind: 'imported', traceIds: ['a'.repeat(32)] });
  expect(await importTraceFile(file('two.json.gz', gzipSync(request('b'))), gateway.url)).toMatchObject({ kind: 'imported' });
  const lines = await importTraceFile(file('three.jsonl', `${request('c')}\n${request('d', 'e')}\n\n`), gateway.url);
  expect(lines).toEqual({ kind: 'imported', traceIds: ['c', 'd', 'e'].map((id) => id.repeat(32)) });
  for (const id of 'abcde') expect(await isStored(id), id).toBe(true);
});

test('protobuf is recognised by its file extension', async () => {
  // ResourceSpans { ScopeSpans { Span { trace_id, span_id, name } } }, by hand.
  const field = (number: number, bytes: Buffer) => Buffer.concat([Buffer.from([number * 8 + 2, bytes.length]), bytes]);
  const body = Buffer.concat([
    field(1, Buffer.from('f'.repeat(32), 'hex')),
    field(2, Buffer.from('f'.repeat(16), 'hex')),
    field(5, Buffer.from('pb')),
  ]);
  const times = Buffer.concat(
    [7, 8].map((number) => Buffer.concat([Buffer.from([number * 8 + 1]), Buffer.from('0000c52ebca09717', 'hex')])),
  );
  const bytes = field(1, field(2, field(2, Buffer.concat([body, times]))));
  expect(await importTraceFile(file('four.pb', bytes), gateway.url)).toEqual({ kind: 'imported', traceIds: [] });
  expect(await isStored('f')).toBe(true);
});

test('a trace archive is imported', async () => {
  await importTraceFile(file('five.json', request('5')), gateway.url);
  const exported = await fetch(new URL(`/v1/viewer/export/capsule?trace_id=${'5'.repeat(32)}`, gateway.url));
  const result = await importTraceFile(file('five.capsule', Buffer.from(await exported.arrayBuffer())), gateway.url);
  expect(result).toEqual({ kind: 'imported', traceIds: ['5'.repeat(32)] });
  expect(await importTraceFile(file('six.capsule', 'no trace archive'), gateway.url)).toMatchObject({ kind: 'refused' });
});

test('a file without traces is refused with a reason, and a folder or a huge file is not read', async () => {
  expect(await importTraceFile(file('bad.json', '{"resourceSpans": 7'), gateway.url)).toMatchObject({ kind: 'refused' });
  mkdirSync(join(home, 'folder.json'));
  expect(await importTraceFile(join(home, 'folder.json'), gateway.url)).toEqual({ kind: 'refused', why: 'It is not a file.' });
  expect(await importTraceFile(join(home, 'none.json'), gateway.url)).toMatchObject({ why: 'It cannot be read (ENOENT).' });
  truncateSync(file('huge.json', ''), 21 * 1024 * 1024);
  expect(await importTraceFile(join(home, 'huge.json'), gateway.url)).toMatchObject({ why: 'It has 21 MiB; the limit is 20 MiB.' });
});
