/** What a stranger gets from our document with the usual generator: types that hold, and a client that works against a real gateway. */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { generateTypes } from '../fixtures/generated-client/generate.ts';
import { mistakes, program } from '../fixtures/generated-client/program.ts';
import { startTestGateway, type TestGateway } from '../fixtures/test-gateway.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');
const compilerOptions = {
  ...{ target: 'ESNext', module: 'NodeNext', lib: ['ESNext', 'DOM'], types: ['node'], skipLibCheck: false },
  ...{ strict: true, noUncheckedIndexedAccess: true, exactOptionalPropertyTypes: true, allowImportingTsExtensions: true, noEmit: true },
};
const setUp = program.slice(0, program.indexOf('const traceId'));

let gateway: TestGateway;
let folder: string;
/** What the compiler says, by the name of the file it says it of. */
let objections: Map<string, string[]>;

beforeAll(async () => {
  gateway = await startTestGateway();
  // In the tree, where Node and the compiler find the packages.
  mkdirSync(join(root, '.cache'), { recursive: true });
  folder = mkdtempSync(join(root, '.cache/generated-client-'));
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
  write('package.json', '{"type":"module"}');
  write('tsconfig.json', JSON.stringify({ compilerOptions, include: ['*.ts'] }));
  write('api.ts', await generateTypes(gateway.url));
  write('program.ts', program);
  for (const [index, mistake] of Object.values(mistakes).entries())
    write(`mistake-${index}.ts`, `${setUp}\nvoid (${mistake});\nexport type {components};\n`);
  objections = await compile();
});

afterAll(async () => {
  await gateway.stop();
  rmSync(folder, { recursive: true });
});

async function compile(): Promise<Map<string, string[]>> {
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const said = await run(process.execPath, [tsc, '-p', folder, '--pretty', 'false']).catch((error: { stdout: string }) => error);
  const lines = said.stdout.split('\n').filter((line) => line.includes('error TS'));
  return Map.groupBy(lines, (line) => /([\w-]+\.ts)\(/.exec(line)?.[1] ?? line);
}

describe('types generated from the document', () => {
  it('compile, and so does a program that uses them', () => {
    const sound = [...objections].filter(([file]) => !file.startsWith('mistake-'));
    expect(sound).toEqual([]);
  });

  it.each(Object.keys(mistakes).map((what, index): [string, number] => [what, index]))('do not let pass %s', (_, index) => {
    expect(objections.get(`mistake-${index}.ts`)).toHaveLength(1);
  });
});

it('the program sends, reads, scores and is refused through them', async () => {
  const { stdout, stderr } = await run(process.execPath, [join(folder, 'program.ts'), gateway.url]);
  expect(stderr).toBe('');
  const traceId = 'c'.repeat(32);
  expect(JSON.parse(stdout)).toEqual({
    sent: [200, 'string'],
    score: [traceId, 0.5],
    trace: ['generated', 250, 1, ['helpful']],
    list: [[traceId], 1],
    missing: [404, 'trace_not_found', null],
    refused: [400, 'invalid_query_params', ['start_date']],
    removed: [204, null],
  });
});
