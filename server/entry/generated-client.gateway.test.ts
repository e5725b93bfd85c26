/** Two common generators make correct types and working clients from our document, tested against a real gateway. */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { generateWithHeyApi, generateWithOrval } from '../fixtures/generated-client/generate.ts';
import { program as heyApiProgram, mistakes, setUp } from '../fixtures/generated-client/hey-api-program.ts';
import { program as orvalProgram } from '../fixtures/generated-client/orval-program.ts';
import { startTestCloud, type TestCloud } from '../fixtures/test-cloud.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');
/** Not `exactOptionalPropertyTypes`: what the generators write around our types is not meant for it. */
const compilerOptions = {
  ...{ target: 'ESNext', module: 'NodeNext', lib: ['ESNext', 'DOM'], types: ['node'], skipLibCheck: false },
  ...{ strict: true, noUncheckedIndexedAccess: true, allowImportingTsExtensions: true, noEmit: true },
};

let cloud: TestCloud;
let folder: string;
/** Compiler errors by file name. */
let compilerErrors: Map<string, string[]>;

beforeAll(async () => {
  cloud = await startTestCloud();
  // In the tree, where Node and the compiler find the packages.
  mkdirSync(join(root, '.cache'), { recursive: true });
  folder = mkdtempSync(join(root, '.cache/generated-client-'));
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
  write('package.json', '{"type":"module"}');
  write('tsconfig.json', JSON.stringify({ compilerOptions, include: ['**/*.ts'] }));
  await generateWithHeyApi(cloud.url, folder);
  await generateWithOrval(cloud.url, folder);
  write('hey-api-program.ts', heyApiProgram);
  write('orval-program.ts', orvalProgram);
  for (const [index, mistake] of Object.values(mistakes).entries())
    write(`mistake-${index}.ts`, `${setUp}\nvoid client;\nvoid (${mistake});\n`);
  compilerErrors = await compile();
});

afterAll(async () => {
  await cloud.stop();
  rmSync(folder, { recursive: true });
});

async function compile(): Promise<Map<string, string[]>> {
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const output = await run(process.execPath, [tsc, '-p', folder, '--pretty', 'false']).catch((error: { stdout: string }) => error);
  const lines = output.stdout.split('\n').filter((line) => line.includes('error TS'));
  return Map.groupBy(lines, (line) => /([\w-]+\.ts)\(/.exec(line)?.[1] ?? line);
}

describe('clients generated from the document', () => {
  it('clients compile, and so do programs that use them', () => {
    const unexpected = [...compilerErrors].filter(([file]) => !file.startsWith('mistake-'));
    expect(unexpected).toEqual([]);
  });

  it.each(Object.keys(mistakes).map((what, index): [string, number] => [what, index]))('reject %s at compile time', (_, index) => {
    expect(compilerErrors.get(`mistake-${index}.ts`)).toHaveLength(1);
  });
});

const printedBy = async (program: string, ...args: string[]): Promise<unknown> => {
  const { stdout, stderr } = await run(process.execPath, [join(folder, program), ...args]);
  expect(stderr).toBe('');
  return JSON.parse(stdout);
};

it('the client of @hey-api/openapi-ts sends the key in the form that each operation requires', async () => {
  const { api_key, app_id } = cloud.tenant;
  const traceId = 'c'.repeat(32);
  expect(await printedBy('hey-api-program.ts', cloud.url, api_key, app_id)).toEqual({
    sent: [200, 'string'],
    score: [traceId, 0.5],
    trace: ['generated', 250, 1, ['helpful']],
    list: [[traceId], 1],
    found: [200, ['generated']],
    metrics: [200, 0],
    queues: [200, 0],
    missing: [404, 'trace_not_found', null],
    refused: [400, 'invalid_query_params', ['start_date']],
    removed: [204],
    stranger: [401, 'unauthorized', 'cloud'],
  });
});

it('the functions of orval read, write and receive errors', async () => {
  const { api_key, app_id } = cloud.tenant;
  const traceId = 'e'.repeat(32);
  const printed = await printedBy('orval-program.ts', api_key, app_id);
  expect(printed).toMatchObject({
    health: 'ok',
    sent: 200,
    score: [traceId, 'correct'],
    names: expect.arrayContaining(['correct']),
    trace: ['generated', 1, ['correct']],
    found: 200,
    queue: ['correct'],
    missing: [404, 'trace_not_found'],
    removed: 204,
    stranger: [401, 'unauthorized'],
  });
});
