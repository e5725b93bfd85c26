/**
 * `npm run check`: all checks that need neither a service nor a browser. Arguments select steps:
 * `npm run check -- structure lint types`.
 */
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { type Step, steps } from './steps.ts';

const root = join(import.meta.dirname, '..');
const requested = process.argv.slice(2);
const todo = steps(root).filter(({ name }) => requested.length === 0 || requested.some((prefix) => name.startsWith(prefix)));

interface Outcome {
  ok: boolean;
  output: string;
}

function run({ node }: Step): Promise<Outcome> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, node, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    const append = (chunk: Buffer) => {
      output += chunk.toString();
    };
    child.stdout.on('data', append);
    child.stderr.on('data', append);
    child.on('error', (error) => resolve({ ok: false, output: String(error) }));
    child.on('close', (code) => resolve({ ok: code === 0, output }));
  });
}

const failed: string[] = [];
const queue = todo[Symbol.iterator]();

async function worker(): Promise<void> {
  for (const step of queue) {
    const startedAt = performance.now();
    const { ok, output } = await run(step);
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    process.stdout.write(`${ok ? 'ok    ' : 'FAILED'} ${step.name} (${seconds} s)\n`);
    if (ok) continue;
    failed.push(step.name);
    process.stdout.write(`${output.trimEnd().replace(/^/gm, '    ')}\n`);
  }
}

const startedAt = performance.now();
await Promise.all(Array.from({ length: Math.min(4, availableParallelism()) }, worker));
const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);

if (todo.length === 0) process.stdout.write(`check: no step matches ${requested.join(', ')}\n`);
else
  process.stdout.write(
    failed.length > 0 ? `check: FAILED ${failed.join(', ')} (${seconds} s)\n` : `check: ok, ${todo.length} steps (${seconds} s)\n`,
  );
process.exitCode = failed.length > 0 || todo.length === 0 ? 1 : 0;
