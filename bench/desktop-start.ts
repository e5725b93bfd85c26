/** `node bench/desktop-start.ts --data DIR [--times 10]`: how long the desktop takes to open its port on the store in DIR. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { measureDesktopStart } from './measure/desktop-start.ts';

const { values } = parseArgs({ options: { data: { type: 'string' }, times: { type: 'string', default: '10' } } });
if (values.data === undefined)
  throw new Error('--data must be a folder with a store; a start opens it as usual and nothing else is written.');

for (const script of ['scripts/ensure-viewer.ts', 'scripts/ensure-shell.ts'])
  if (spawnSync(process.execPath, [join(import.meta.dirname, '..', script)], { stdio: 'inherit' }).status !== 0) process.exit(1);

for (let number = 1; number <= Number(values.times); number++) {
  const { portMs, windowMs, readyMs } = await measureDesktopStart(values.data);
  const shown = [portMs, windowMs, readyMs].map((ms) => ms.toFixed(0).padStart(5));
  process.stdout.write(`start ${number}: port ${shown[0]} ms, window requested ${shown[1]} ms, store ready ${shown[2]} ms\n`);
}
