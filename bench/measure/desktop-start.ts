/**
 * The start of the desktop app on a store that is already large: the built main process with the fake Electron, without a browser, so that
 * only our code is measured. Electron's own start adds some hundred milliseconds.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { accepts, freePort } from './port-probe.ts';

export interface DesktopStart {
  /** From the start of the process: the port accepts connections. */
  portMs: number;
  /** The first window is requested. */
  windowMs: number;
  /** The store is open: requests are served. */
  readyMs: number;
}

const root = join(import.meta.dirname, '../..');
const timeoutMs = 30_000;

export async function measureDesktopStart(dataDir: string): Promise<DesktopStart> {
  const port = await freePort();
  const execArgv = ['--import', join(root, 'e2e/electron/boot.mjs')];
  const args = ['--port', String(port), '--otlp-ports', 'off', '--data', dataDir, '--project', dataDir];
  const began = performance.now();
  const since = (): number => performance.now() - began;
  const child = fork(join(root, 'out/main/index.js'), args, { execArgv, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  try {
    const until = async (condition: () => Promise<boolean>): Promise<number> => {
      while (!(await condition())) {
        if (since() > timeoutMs) throw new Error('the desktop did not start');
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
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    await exited;
  }
}
