/**
 * `npm run check`: everything a reviewer would run that needs no service and no browser. Names of steps as arguments
 * run only those: `npm run check -- structure lint types`.
 */
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { type Step, steps } from './steps.ts';

const root = join(import.meta.dirname, '..');
const wanted = process.argv.slice(2);
const todo = steps(root).filter(({ name }) => wanted.length === 0 || wanted.some((word) => name.startsWith(word)));

interface Outcome {
  ok: boolean;
  printed: string;
}

function run({ node }: Step): Promise<Outcome> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, node, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
    let printed = '';
    const keep = (chunk: Buffer) => {
      printed += chunk.toString();
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    child.on('error', (error) => resolve({ ok: false, printed: String(error) }));
    child.on('close', (code) => resolve({ ok: code === 0, printed }));
  });
}

const failed: string[] = [];
const queue = todo[Symbol.iterator]();

async function worker(): Promise<void> {
  for (const step of queue) {
    const began = performance.now();
    const { ok, printed } = await run(step);
    const seconds = ((performance.now() - began) / 1000).toFixed(1);
    process.stdout.write(`${ok ? 'ok    ' : 'FAILED'} ${step.name} (${seconds} s)\n`);
    if (ok) continue;
    failed.push(step.name);
    process.stdout.write(`${printed.trimEnd().replace(/^/gm, '    ')}\n`);
  }
}

const began = performance.now();
await Promise.all(Array.from({ length: Math.min(4, availableParallelism()) }, worker));
const seconds = ((performance.now() - began) / 1000).toFixed(1);

if (todo.length === 0) process.stdout.write(`check: no step is called ${wanted.join(', ')}\n`);
else
  process.stdout.write(
    failed.length > 0 ? `check: FAILED ${failed.join(', ')} (${seconds} s)\n` : `check: ok, ${todo.length} steps (${seconds} s)\n`,
  );
process.exitCode = failed.length > 0 || todo.length === 0 ? 1 : 0;
