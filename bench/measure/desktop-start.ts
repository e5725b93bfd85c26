/**
 * The start of the desktop on a store that is already large: the built main process under the stand-in for Electron, without a
 * browser, so that what is measured is ours. Electron's own start, some hundred milliseconds, comes on top of it.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { accepts, freePort } from './port-probe.ts';

export interface DesktopStart {
  /** From the start of the process: the port accepts connections. */
  portMs: number;
  /** The first window is asked for. */
  windowMs: number;
  /** The store is open: requests are served. */
  readyMs: number;
}

const root = join(import.meta.dirname, '../..');
const patienceMs = 30_000;

export async function measureDesktopStart(dataDir: string): Promise<DesktopStart> {
  const port = await freePort();
  const execArgv = ['--import', join(root, 'e2e/electron/boot.mjs')];
  const words = ['--port', String(port), '--otlp-ports', 'off', '--data', dataDir, '--project', dataDir];
  const began = performance.now();
  const since = (): number => performance.now() - began;
  const child = fork(join(root, 'out/main/index.js'), words, { execArgv, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  try {
    const until = async (isSo: () => Promise<boolean>): Promise<number> => {
      while (!(await isSo())) {
        if (since() > patienceMs) throw new Error('the desktop did not start');
        await new Promise((resolve) => setTimeout(resolve, 2));
      }
      return since();
    };
    const portMs = await until(() => accepts(port));
    const readyMs = await until(async () => (await fetch(`http://127.0.0.1:${port}/health`)).status === 200);
    const source = '({ BrowserWindow }) => BrowserWindow.getAllWindows()[0].askedMs';
    child.send({ id: 1, source });
    const [{ value }] = (await once(child, 'message')) as [{ value: number }];
    return { portMs, windowMs: value, readyMs };
  } finally {
    const gone = once(child, 'exit');
    child.kill('SIGTERM');
    await gone;
  }
}
