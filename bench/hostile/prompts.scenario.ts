/**
 * `npm run test:hostile -- prompts [NAME]`: templates of 60 kB that are made to hold their parser, one after the other, each in a gateway that
 * has read a template before. Each must be read or refused within a second, and `/health` is asked all the while.
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

interface Answered {
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
    const { waits, result } = await probeWhile(url, () => askAll(url, names));
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
  for (const [name, text] of Object.entries({ ...hostileTemplates, fine: '<User>\nHi {props.name}\n</User>\n' }))
    writeFileSync(join(templates, `${name}.mdx`), text);
}

/** Before each, one that is as templates are must be answered as ever. */
async function askAll(url: string, names: readonly string[]): Promise<Answered[]> {
  const answered: Answered[] = [];
  for (const name of names) {
    const fine = await ask(url, 'fine');
    if (fine.status !== 200) answered.push(fine);
    answered.push(await ask(url, name));
  }
  return answered;
}

async function ask(url: string, name: string): Promise<Answered> {
  const began = performance.now();
  const answer = await fetch(`${url}/v1/templates?path=${name}.mdx`);
  await answer.arrayBuffer();
  return { name, status: answer.status, ms: performance.now() - began };
}
