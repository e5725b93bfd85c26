/** Installs packages of the Linux distribution where this needs no password. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const timeoutMs = 10 * 60_000;

/** Runs a program and prints its command line and output. @returns whether it succeeded */
export function runCommand(command: string, options: string[], cwd?: string): boolean {
  process.stderr.write(`> ${[command, ...options].join(' ')}\n`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  return (
    spawnSync(command, options, { ...(cwd === undefined ? {} : { cwd }), env, stdio: ['ignore', 2, 2], timeout: timeoutMs }).status === 0
  );
}

/** @returns whether the package is installed now */
export function installPackage(name: string): boolean {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return false;
  const install = ['install', '-y', '-qq', '--no-install-recommends', name];
  // The package list of a new machine is empty or outdated, so a first failure may go away with an update.
  return runCommand('apt-get', install) || (runCommand('apt-get', ['update', '-qq']) && runCommand('apt-get', install));
}
