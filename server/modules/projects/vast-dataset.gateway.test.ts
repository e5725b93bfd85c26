/** A file that is too large for a dataset is recognised by its size: reading it would take minutes, and no request may wait for that. */
import { closeSync, ftruncateSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { aProject } from '../../fixtures/project-tree.ts';
import { startTestGateway, type TestGateway } from '../../fixtures/test-gateway.ts';

const size = 64 * 1024 ** 3;
const project = aProject({ 'agentmark.json': '{}', 'agentmark/small.jsonl': '{"input":1}\n' });
let gateway: TestGateway;

beforeAll(async () => {
  mkdirSync(join(project.root, 'agentmark'), { recursive: true });
  const file = openSync(join(project.root, 'agentmark/vast.jsonl'), 'w');
  // Sparse: no disk is used.
  ftruncateSync(file, size);
  closeSync(file);
  gateway = await startTestGateway({ projectDir: project.root });
});
afterAll(async () => {
  await gateway.stop();
  project.remove();
});

it('is listed with its size and without a count', async () => {
  const { data } = await gateway.client.datasets.list({ query: {} });
  expect(data).toMatchObject([
    { name: 'small.jsonl', row_count: 1 },
    { name: 'vast.jsonl', row_count: null, size_bytes: size },
  ]);
});

it('is neither read nor written', async () => {
  const read = await gateway.fetch('/v1/templates?path=vast.jsonl');
  const append = await gateway.fetch('/v1/datasets/vast/rows', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: '{"input":1}',
  });
  for (const answer of [read, append]) expect([answer.status, (await answer.json()).error.code]).toEqual([413, 'payload_too_large']);
});
