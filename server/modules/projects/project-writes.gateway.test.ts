/**
 * Rows are appended to files by a gateway with limited rights: it runs as a process of its own, which may write no file of more than 16 MiB
 * and, when the tests run as root, cannot bypass file permissions.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, chmodSync, mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { contractClient } from '../../fixtures/contract-client.ts';
import { fromSources } from '../../fixtures/from-sources.ts';
import { aProject } from '../../fixtures/project-tree.ts';

const fileBytesMax = 16 * 1024 * 1024;
const row = '{"input":"0123456789"}\n';
const project = aProject({
  'service.json': '{}',
  'agentmark/shared.jsonl': row,
  'agentmark/frozen.jsonl': row,
  'agentmark/secret.mdx': 'x',
});
const at = (path: string) => join(project.root, 'agentmark', path);
let gateway: ChildProcess;
let url = '';
const { client, fetch, refusal } = contractClient(() => ({ url }));

const entry = join(import.meta.dirname, '../../entry/gateway.ts');
const command = `ulimit -f ${fileBytesMax / 512}; exec "$@"`;
const dropCapabilities = process.getuid?.() === 0 ? ['setpriv', '--inh-caps=-all', '--bounding-set=-all'] : [];

beforeAll(async () => {
  writeFileSync(at('full.jsonl'), row.repeat(Math.floor(fileBytesMax / row.length)));
  mkdirSync(at('closed'));
  chmodSync(at('closed'), 0o555);
  chmodSync(at('frozen.jsonl'), 0o444);
  chmodSync(at('secret.mdx'), 0o000);
  chmodSync(at('shared.jsonl'), 0o640);
  const data = join(project.around, 'data');
  const options = ['--port', '0', '--data', data, '--project', project.root];
  const [program = '', ...rest] = [...dropCapabilities, 'sh', '-c', command, 'sh', process.execPath, fromSources, entry, ...options];
  gateway = spawn(program, rest, { stdio: ['ignore', 'pipe', 'inherit'] });
  for await (const line of createInterface({ input: gateway.stdout as NodeJS.ReadableStream })) {
    url = /ready at (http:\S+)/.exec(line)?.[1] ?? '';
    if (url) break;
  }
});

afterAll(async () => {
  const exited = once(gateway, 'exit');
  gateway.kill('SIGTERM');
  await exited;
  chmodSync(at('closed'), 0o755);
  project.remove();
});

const append = (name: string, input: unknown) =>
  client.datasets.append({ params: { datasetName: name }, body: { input: input as string } });

/** How the row is refused. */
async function refusedAppend(name: string, input: unknown) {
  const headers = { 'Content-Type': 'application/json' };
  const response = await fetch(`/v1/datasets/${encodeURIComponent(name)}/rows`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ input }),
  });
  const { error } = (await response.json()) as { error: { code: string } };
  return { status: response.status, code: error.code, retryAfter: response.headers.get('retry-after') };
}

it('a disk that accepts only part of a row leaves the file as it was, to the byte', async () => {
  const before = readFileSync(at('full.jsonl'));
  expect(await refusedAppend('full', 'x'.repeat(1_000))).toEqual({ status: 503, code: 'storage_full', retryAfter: '5' });
  expect(readFileSync(at('full.jsonl')).equals(before)).toBe(true);
  const many = { span_ids: ['x'] };
  const headers = { 'Content-Type': 'application/json' };
  const emptyImport = await fetch('/v1/datasets/full/rows/from-spans', { method: 'POST', headers, body: JSON.stringify(many) });
  expect(emptyImport.status).toBe(207);
});

it('what may not be written or read is refused, and nothing is left behind', async () => {
  const denied = { status: 503, code: 'storage_unavailable', retryAfter: '5' };
  expect(await refusedAppend('frozen', 1)).toEqual(denied);
  expect(await refusedAppend('closed/new', 1)).toEqual(denied);
  expect(await refusedAppend('closed/deep/new', 1)).toEqual(denied);
  expect(readFileSync(at('frozen.jsonl'), 'utf8')).toBe(row);
  expect(readdirSync(at('closed'))).toEqual([]);
  expect(await refusal('/v1/templates?path=secret.mdx')).toMatchObject({ status: 503, code: 'storage_unavailable' });
});

it('a file that grows keeps its permissions, its creation time and what others append to it meanwhile', async () => {
  const before = statSync(at('shared.jsonl'));
  const [listed] = (await client.datasets.list({ query: { name: 'shared' } })).data;
  const answers = Promise.all(Array.from({ length: 40 }, (_, index) => append('shared', index)));
  for (let index = 0; index < 40; index++) {
    appendFileSync(at('shared.jsonl'), `{"input":"theirs ${index}"}\n`);
    await new Promise((resolve) => setImmediate(resolve));
  }
  await answers;
  const rows = readFileSync(at('shared.jsonl'), 'utf8').trim().split('\n');
  const inputs = rows.map((line) => JSON.parse(line).input as unknown);
  expect(inputs.filter((input) => typeof input === 'number').sort((a, b) => Number(a) - Number(b))).toEqual(
    Array.from({ length: 40 }, (_, index) => index),
  );
  expect(inputs.filter((input) => String(input).startsWith('theirs'))).toHaveLength(40);
  const after = statSync(at('shared.jsonl'));
  expect([after.mode, after.ino, after.uid]).toEqual([before.mode, before.ino, before.uid]);
  expect((await client.datasets.list({ query: { name: 'shared' } })).data).toEqual([{ ...listed, row_count: 81 }]);
});

it('a hundred rows at once into a dataset that does not exist lose nothing, and abandoned temporary files are removed', async () => {
  const abandoned = '.glasshouse-01234567-89ab-cdef-0123-456789abcdef.tmp';
  project.write(`agentmark/new/${abandoned}`, 'half a r');
  utimesSync(at(`new/${abandoned}`), 1, 1);
  const answers = await Promise.all(Array.from({ length: 100 }, (_, index) => append('new/hundred', index)));
  const numbers = answers.map(({ data }) => data.line_number);
  const rows = readFileSync(at('new/hundred.jsonl'), 'utf8').trim().split('\n');
  expect(numbers.map((number) => JSON.parse(rows[number] ?? 'null').input)).toEqual(Array.from({ length: 100 }, (_, index) => index));
  expect(rows).toHaveLength(100);
  expect(readdirSync(at('new'))).toEqual(['hundred.jsonl']);
  expect(statSync(at('new/hundred.jsonl')).nlink).toBe(1);
});
