/**
 * Required first by what serves. glibc keeps most of what is freed (docs/adr/022), and reads how much it may keep only when a process
 * begins. So on Linux the process begins again, in place: the same number, files and signals, 25 ms later. What the environment says
 * already stands; and elsewhere there is nothing to say. In a script of npm, `NAME=value node` would mean nothing to cmd.exe.
 */
'use strict';

const { isMainThread } = require('node:worker_threads');

const variables = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '4194304', MALLOC_TRIM_THRESHOLD_: '8388608' };
const isSaid = Object.keys(variables).every((name) => name in process.env);

if (process.platform === 'linux' && isMainThread && !isSaid && process.execve) {
  const command = [process.execPath, ...process.execArgv, ...process.argv.slice(1)];
  process.execve(process.execPath, command, { ...variables, ...process.env });
}
