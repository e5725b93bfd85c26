/** Starts a gateway that outlives the command: what it took in should still be there to look at. */
import { spawn } from 'node:child_process';
import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { folderInUse, makeFolder } from '../entry/data-folder-owner.ts';
import { startFailure } from '../entry/start-failure.ts';
import { CommandError, exitCode } from './command.ts';
import { type Found, whoAnswers } from './local-gateway.ts';
import { printable } from './terminal.ts';

const gatewayFile = join(import.meta.dirname, '../entry/gateway.ts');
const required = (script: string) => `--require=${join(import.meta.dirname, '../../scripts', script)}`;
/** As `npm run gateway`. */
const nodeOptions = ['--max-semi-space-size=4', required('lean-malloc.cjs'), required('from-sources.cjs')];

/** Without a window. A command that a packed app installed has no sources beside it: its launcher names the app. */
const gatewayProgram = (): [string, ...string[]] => {
  const app = process.env['GLASSHOUSE_APP'];
  return app ? [app, '--hidden'] : [process.execPath, ...nodeOptions, gatewayFile];
};
const patienceMs = 30_000;
const pauseMs = 50;

export interface Started {
  gateway: Found;
  pid: number;
  /** Where it writes what it has to say. */
  log: string;
}

/** @throws CommandError when it does not come up */
export async function startGateway(port: number, dataDir: string, projectDir: string): Promise<Started> {
  const log = join(dataDir, 'gateway.log');
  const out = await openLog(dataDir, log);
  const quiet = fstatSync(out).size;
  const [program, ...before] = gatewayProgram();
  const args = [...before, '--port', String(port), '--data', dataDir, '--project', projectDir];
  const child = spawn(program, args, { detached: true, stdio: ['ignore', out, out] });
  const pid = await new Promise<number>((resolve, reject) => {
    child.once('spawn', () => resolve(child.pid as number));
    child.once('error', () => reject(new CommandError(exitCode.runFailed, `${program} cannot be started.`)));
  });
  child.unref();
  closeSync(out);
  for (const giveUpAt = performance.now() + patienceMs; performance.now() < giveUpAt && child.exitCode === null; ) {
    const answering = await whoAnswers(`http://127.0.0.1:${port}`);
    if (answering.kind === 'glasshouse') return { gateway: answering.gateway, pid, log };
    await after(pauseMs);
  }
  child.kill();
  throw new CommandError(exitCode.runFailed, `The gateway did not start${whyIn(log, quiet)}`);
}

/** @throws CommandError when the folder is in use, or no file can be written there */
async function openLog(dataDir: string, log: string): Promise<number> {
  try {
    const inUse = await folderInUse(dataDir);
    if (inUse) throw inUse;
    makeFolder(dataDir);
    return openSync(log, 'a', 0o600);
  } catch (error) {
    throw new CommandError(exitCode.runFailed, printable(startFailure(error, null, dataDir)));
  }
}

/** The last line that it wrote. @param from where its part of the log begins */
function whyIn(log: string, from: number): string {
  const said = readFileSync(log).subarray(from).toString().trim().split('\n').at(-1);
  return said ? `: ${printable(said)}` : `; ${log} says why.`;
}
