/** Decisions of `npm start` before there is a window. Pure, except for one read of the disk. */
import { existsSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';

export interface Machine {
  platform: NodeJS.Platform;
  env: NodeJS.ProcessEnv;
  uid: number | undefined;
  args: string[];
}

/** Why there can be no window here, whatever is installed. Undefined when one is possible. */
export function whyNoWindow({ platform, env, uid, args }: Machine): string | undefined {
  if (platform === 'win32' || platform === 'darwin') return undefined;
  if (!env['DISPLAY'] && !env['WAYLAND_DISPLAY']) return 'there is no display (DISPLAY and WAYLAND_DISPLAY are not set)';
  if (uid === 0 && !args.includes('--no-sandbox')) return "Chromium's sandbox does not run as root";
  return undefined;
}

/** Path of the installed Electron. Importing the package would start to download it. */
export function installedElectron(root: string, env: NodeJS.ProcessEnv): string | undefined {
  const home = join(root, 'node_modules/electron');
  const pathFile = join(home, 'path.txt');
  const name = existsSync(pathFile) ? readFileSync(pathFile, 'utf8') : undefined;
  const override = env['ELECTRON_OVERRIDE_DIST_PATH'];
  if (override === undefined && name === undefined) return undefined;
  const binary = join(override ?? join(home, 'dist'), name ?? 'electron');
  return existsSync(binary) ? binary : undefined;
}

export interface ElectronExit {
  code: number | null;
  signal: NodeJS.Signals | null;
  afterMs: number;
  /** It was ended by a signal to this process. */
  isRequested: boolean;
}

const startupMsMax = 5000;

/**
 * Whether Electron failed to start: a library is missing (127), the display refuses (1), or the kernel forbids
 * the sandbox (SIGTRAP; Ubuntu 24.04 does for an unpacked Electron). Exit code 2 is our own and reports that the gateway failed.
 */
export const failedToStart = ({ code, signal, afterMs, isRequested }: ElectronExit): boolean =>
  !isRequested && afterMs < startupMsMax && (signal !== null || code === 1 || (code !== null && code >= 126));

/**
 * Why the kernel forbids Chromium's sandbox, and what helps: Ubuntu since 23.10 lets only programs with a profile use user namespaces, and
 * an Electron that npm unpacked has none.
 * @param restriction content of /proc/sys/kernel/apparmor_restrict_unprivileged_userns; absent where there is no such file
 */
export const whyNoSandbox = (restriction: string | undefined): string | undefined =>
  restriction?.trim() === '1'
    ? "this system keeps Electron from using Chromium's sandbox; `sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0` allows it until the next boot, and the .deb of a release needs nothing"
    : undefined;

/** As a shell reports it. */
export const exitCodeOf = ({ code, signal }: Pick<ElectronExit, 'code' | 'signal'>): number =>
  code ?? 128 + (signal === null ? 0 : constants.signals[signal]);
