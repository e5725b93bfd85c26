/** A folder or file that is replaced by a link while it is used gives no access to files outside the project. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { aProject } from '../../fixtures/project-tree.ts';
import { startTestGateway, type TestGateway } from '../../fixtures/test-gateway.ts';

const canary = 'CANARY-51c9';
const project = aProject({
  'agentmark.json': '{}',
  'agentmark/main.mdx': "import Part from './flip/part.mdx'\n\n<Part/>\n",
  'agentmark/flip/part.mdx': 'inside',
  'agentmark/flip/data.jsonl': '{"input":"inside"}\n',
  'agentmark/flip/p.prompt.mdx': '---\nname: inside\n---\n',
  'agentmark/file.mdx': 'inside',
  'agentmark/file.jsonl': '{"input":"inside"}\n',
});
const outside = join(project.around, 'outside');
let gateway: TestGateway;
let swapper: Worker;

/** Replaces the folder and the files by links to the outside, and back, as fast as it can. */
const swapScript = `
const { renameSync, symlinkSync, unlinkSync } = require('node:fs');
const { workerData: { folder, outside }, parentPort } = require('node:worker_threads');
const { join } = require('node:path');
const swap = (name) => {
  const path = join(folder, name);
  renameSync(path, path + '.real');
  symlinkSync(join(outside, name), path);
  for (let spin = 0; spin < 20000; spin++);
  unlinkSync(path);
  renameSync(path + '.real', path);
};
let rounds = 0;
const round = () => {
  try { for (let index = 0; index < 20; index++) { swap('flip'); swap('file.jsonl'); swap('file.mdx'); } } catch (error) { if (error.code !== 'EEXIST' && error.code !== 'ENOTEMPTY') throw error; }
  parentPort.postMessage(++rounds);
  setImmediate(round);
};
round();
`;

const snapshotOutside = () =>
  (readdirSync(outside, { recursive: true, withFileTypes: true }) as { parentPath: string; name: string; isFile(): boolean }[]).map(
    (entry) => {
      const path = join(entry.parentPath, entry.name);
      return entry.isFile() ? `${path} ${readFileSync(path, 'utf8')}` : path;
    },
  );

beforeAll(async () => {
  mkdirSync(join(outside, 'flip'), { recursive: true });
  writeFileSync(join(outside, 'flip/part.mdx'), canary);
  writeFileSync(join(outside, 'flip/data.jsonl'), `{"input":"${canary}"}\n`);
  writeFileSync(join(outside, 'flip/p.prompt.mdx'), `---\nname: ${canary}\n---\n`);
  writeFileSync(join(outside, `flip/${canary}.prompt.mdx`), `---\nname: ${canary}\n---\n`);
  writeFileSync(join(outside, `flip/${canary}.jsonl`), '{}\n');
  writeFileSync(join(outside, 'file.mdx'), canary);
  writeFileSync(join(outside, 'file.jsonl'), `{"input":"${canary}"}\n`);
  gateway = await startTestGateway({ projectDir: project.root });
});

afterAll(async () => {
  await swapper.terminate();
  await gateway.stop();
  project.remove();
});

it('no files outside are read, listed, created or changed while rounds of requests race with the replacement', async () => {
  const before = snapshotOutside();
  swapper = new Worker(swapScript, { eval: true, workerData: { folder: join(project.root, 'agentmark'), outside } });
  let rounds = 0;
  swapper.on('message', (count: number) => {
    rounds = count;
  });
  const statuses = new Set<number>();
  const ask = async (path: string, input?: string) => {
    const init =
      input === undefined ? {} : { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ input }) };
    const response = await gateway.fetch(path, init);
    statuses.add(response.status);
    return response.text();
  };
  // Until both outcomes of the race have occurred, which on some machines takes more rounds.
  for (let index = 0; index < 40 || rounds < 20 || !statuses.has(200) || !statuses.has(403); index++) {
    const answers = await Promise.all([
      ask('/v1/templates?path=main.mdx'),
      ask('/v1/templates?path=flip/part.mdx'),
      ask('/v1/templates?path=flip/data.jsonl'),
      ...Array.from({ length: 8 }, () => ask('/v1/templates?path=file.mdx')),
      ask('/v1/templates?path=file.jsonl'),
      ask('/v1/prompts'),
      ask(`/v1/prompts?name=${canary}`),
      ask('/v1/datasets?limit=1000'),
      ask(`/v1/datasets/flip%2Fnew-${index}/rows`, 'x'),
      ask('/v1/datasets/flip%2Fdata/rows', 'x'),
      ask('/v1/datasets/file/rows', 'x'),
      ask(`/v1/datasets/flip%2Fdeep-${index}%2Fnew/rows`, 'x'),
    ]);
    for (const text of answers) expect(text).not.toContain(canary);
  }
  expect(snapshotOutside()).toEqual(before);
  expect([...statuses].filter((status) => status === 500)).toEqual([]);
});
