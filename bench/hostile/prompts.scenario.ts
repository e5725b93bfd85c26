/**
 * `npm run test:hostile -- prompts [NAME]`: templates of 60 kB that are designed to block their parser, one after the other. Each must be
 * accepted or refused within a second. An ordinary template is read before each, and `/health` is polled all the time.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { hostileTemplates } from '../../server/fixtures/hostile-templates.ts';
import { spawnGateway } from '../gateway/gateway-process.ts';
import { makeScratchFolder, removeFolder } from '../gateway/scratch-folder.ts';
import { judgeWaits, probeIdle, probeWhile } from './health-probe.ts';
import type { Verdict } from './scenario.ts';

const answerMsMax = 1000;

interface TimedResponse {
  name: string;
  status: number;
  ms: number;
}

export async function run([only]: string[]): Promise<Verdict[]> {
  const names = Object.keys(hostileTemplates).filter((name) => only === undefined || name === only);
  const folder = makeScratchFolder('prompts');
  writeTemplates(folder);
  const gateway = spawnGateway(folder);
  try {
    const url = await gateway.ready;
    const idle = await probeIdle(url);
    const { waits, result } = await probeWhile(url, () => readAll(url, names));
    const load = `load ${loadavg()[0]?.toFixed(1)}`;
    return [
      ...result.map(({ name, status, ms }) => ({
        what: `${name}: ${status} in ${ms.toFixed(0)} ms (${load})`,
        ok: (status === 200 || status === 400) && ms <= answerMsMax,
      })),
      judgeWaits(`${names.length} templates`, idle, waits),
    ];
  } finally {
    await gateway.stop();
    removeFolder(folder);
  }
}

function writeTemplates(folder: string): void {
  const templates = join(folder, 'agentmark');
  mkdirSync(templates, { recursive: true });
  writeFileSync(join(folder, 'agentmark.json'), '{}');
  for (const [name, text] of Object.entries({ ...hostileTemplates, ordinary: '<User>\nHi {props.name}\n</User>\n' }))
    writeFileSync(join(templates, `${name}.mdx`), text);
}

/** Before each, an ordinary template must be answered with 200. */
async function readAll(url: string, names: readonly string[]): Promise<TimedResponse[]> {
  const responses: TimedResponse[] = [];
  for (const name of names) {
    const ordinary = await readTemplate(url, 'ordinary');
    if (ordinary.status !== 200) responses.push(ordinary);
    responses.push(await readTemplate(url, name));
  }
  return responses;
}

async function readTemplate(url: string, name: string): Promise<TimedResponse> {
  const began = performance.now();
  const response = await fetch(`${url}/v1/templates?path=${name}.mdx`);
  await response.arrayBuffer();
  return { name, status: response.status, ms: performance.now() - began };
}
