/**
 * Preloaded first by servers. glibc keeps most freed memory (docs/adr/022) and reads its limits only when a process starts. So on Linux
 * the process re-executes itself in place, with the same process id, files and signals, which takes 25 ms. Variables that are set already
 * are left alone, and other systems need none. npm scripts cannot set them: cmd.exe does not know `NAME=value node`.
 */
'use strict';

const { isMainThread } = require('node:worker_threads');

const variables = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '4194304', MALLOC_TRIM_THRESHOLD_: '8388608' };
const isSet = Object.keys(variables).every((name) => name in process.env);

if (process.platform === 'linux' && isMainThread && !isSet && process.execve) {
  const command = [process.execPath, ...process.execArgv, ...process.argv.slice(1)];
  process.execve(process.execPath, command, { ...variables, ...process.env });
}
