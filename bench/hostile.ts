/**
 * `npm run test:hostile -- NAME`: attacks a gateway and measures the effect on all other clients. Each scenario is one file of
 * `bench/hostile/`; without a name it lists them. Exits with 1 when a limit was exceeded.
 */
import { existsSync, globSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Scenario } from './hostile/scenario.ts';

const folder = join(import.meta.dirname, 'hostile');
const [name = '', ...options] = process.argv.slice(2);
const file = join(folder, `${name}.scenario.ts`);

if (!/^[a-z-]+$/.test(name) || !existsSync(file)) {
  const names = globSync('*.scenario.ts', { cwd: folder }).map((path) => basename(path, '.scenario.ts'));
  process.stderr.write(`Scenarios: ${names.sort().join(', ')}\n`);
  process.exit(2);
}

const { run } = (await import(pathToFileURL(file).href)) as Scenario;
const verdicts = await run(options);
for (const { what, ok } of verdicts) process.stdout.write(`${ok ? 'ok' : 'FAILED'}: ${what}\n`);
process.exitCode = verdicts.every(({ ok }) => ok) ? 0 : 1;
