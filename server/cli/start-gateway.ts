/** Starts a gateway that keeps running after the command, so that the received traces can still be viewed. */
import { spawn } from 'node:child_process';
import { closeSync, existsSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { folderInUse, makeFolder } from '../entry/data-folder-owner.ts';
import { startFailure } from '../entry/start-failure.ts';
import { CommandError, exitCode } from './command.ts';
import { type GatewayInfo, probeGateway } from './local-gateway.ts';
import { printable } from './terminal.ts';

const required = (script: string) => `--require=${join(import.meta.dirname, '../../scripts', script)}`;
/** The same options as `npm run gateway`. */
const nodeOptions = ['--min-semi-space-size=4', '--max-semi-space-size=8', '--no-parallel-scavenge', required('lean-malloc.cjs')];
/** Beside the command in the npm package, where both are bundled. */
const bundledGateway = join(import.meta.dirname, 'gateway.js');
/** By way of the root, because the bundle of the tests is in another folder. */
const sourceGateway = join(import.meta.dirname, '../../server/entry/gateway.ts');

/** A gateway without a window. A command installed by a packed app has none beside it: its launcher sets GLASSHOUSE_APP. */
export function gatewayCommand(): [string, ...string[]] {
  const app = process.env['GLASSHOUSE_APP'];
  if (app) return [app, '--hidden'];
  const program = existsSync(bundledGateway) ? [bundledGateway] : [required('from-bundle.cjs'), sourceGateway];
  return [process.execPath, ...nodeOptions, ...program];
}
/** After an update the server is bundled first. */
const timeoutMs = 60_000;
const pauseMs = 50;

export interface StartedGateway {
  gateway: GatewayInfo;
  pid: number;
  /** Path of its log file. */
  log: string;
}

/** @throws CommandError when it does not start */
export async function startGateway(port: number, dataDir: string, projectDir: string): Promise<StartedGateway> {
  const log = join(dataDir, 'gateway.log');
  const out = await openLog(dataDir, log);
  const logStart = fstatSync(out).size;
  const [program, ...programArgs] = gatewayCommand();
  const args = [...programArgs, '--port', String(port), '--data', dataDir, '--project', projectDir];
  const child = spawn(program, args, { detached: true, stdio: ['ignore', out, out] });
  const pid = await new Promise<number>((resolve, reject) => {
    child.once('spawn', () => resolve(child.pid as number));
    child.once('error', () => reject(new CommandError(exitCode.runFailed, `${program} cannot be started.`)));
  });
  child.unref();
  closeSync(out);
  for (const deadline = performance.now() + timeoutMs; performance.now() < deadline && child.exitCode === null; ) {
    const probe = await probeGateway(`http://127.0.0.1:${port}`);
    if (probe.kind === 'glasshouse') return { gateway: probe.gateway, pid, log };
    await after(pauseMs);
  }
  child.kill();
  throw new CommandError(exitCode.runFailed, `The gateway did not start${lastLineOf(log, logStart)}`);
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

/** The last line of its output. @param from where its output begins in the log file */
function lastLineOf(log: string, from: number): string {
  const line = readFileSync(log).subarray(from).toString().trim().split('\n').at(-1);
  return line ? `: ${printable(line)}` : `; ${log} says why.`;
}
