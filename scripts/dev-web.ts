/** `npm run dev:web`: the gateway, restarted when its sources change, and the viewer from Vite. No Electron. */
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const start = (...options: string[]): ChildProcess => spawn(process.execPath, options, { cwd: root, stdio: 'inherit' });

const both = [start('--watch', 'server/entry/gateway.ts', ...process.argv.slice(2)), start('node_modules/vite/bin/vite.js')];

// One is useless without the other: when one ends, the other is killed.
for (const child of both)
  child.on('exit', (code) => {
    process.exitCode ??= code ?? 0;
    for (const other of both) other.kill();
  });
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => both.forEach((child) => void child.kill(signal)));
