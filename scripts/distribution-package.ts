/** Installs a package of the Linux distribution, where this may be done without asking anybody. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const patienceMs = 10 * 60_000;

/** Runs a program for what it does; says which, and shows what it says. @returns whether it succeeded */
export function ran(command: string, options: string[], cwd?: string): boolean {
  process.stderr.write(`> ${[command, ...options].join(' ')}\n`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  return (
    spawnSync(command, options, { ...(cwd === undefined ? {} : { cwd }), env, stdio: ['ignore', 2, 2], timeout: patienceMs }).status === 0
  );
}

/** @returns whether it is installed now */
export function installPackage(name: string): boolean {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return false;
  const install = ['install', '-y', '-qq', '--no-install-recommends', name];
  // The list of packages of a new machine is empty or old, so a first refusal means little.
  return ran('apt-get', install) || (ran('apt-get', ['update', '-qq']) && ran('apt-get', install));
}
