#!/usr/bin/env node
/*
 * The `glasshouse` command of the npm package. On a Node that is too old for it, it runs on the one that npm installed beside it.
 * This file itself runs on Node 16 and newer.
 */
'use strict';

const [major, minor] = process.versions.node.split('.').map(Number);

/** @returns its path, null when npm was told to install no optional packages, or on a Mac */
function installedNode() {
  const isWindows = process.platform === 'win32';
  try {
    return require.resolve(`node-${isWindows ? 'win' : process.platform}-${process.arch}/bin/${isWindows ? 'node.exe' : 'node'}`);
  } catch {
    return null;
  }
}

function runOn(node) {
  const { spawn } = require('node:child_process');
  const child = spawn(node, [__filename, ...process.argv.slice(2)], { stdio: 'inherit' });
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'])
    process.on(signal, () => {
      // On Windows Ctrl+C reaches the child by itself, and there are no signals.
      if (process.platform !== 'win32') child.kill(signal);
    });
  // Built for another C library, for instance.
  child.on('error', refuse);
  child.on('exit', (code) => process.exit(code ?? 1));
}

function refuse() {
  process.stderr.write(
    `Glasshouse needs Node 22.18 or newer; this is ${process.versions.node} (${process.execPath}).\n` +
      'Install a newer Node, or install this package with its optional packages, which bring one for Linux (glibc) and Windows (x64).\n',
  );
  process.exitCode = 1;
}

if (major > 22 || (major === 22 && minor >= 18)) {
  require('node:module').enableCompileCache();
  void import('./out/server/glasshouse.js');
} else {
  const node = installedNode();
  if (node) runOn(node);
  else refuse();
}
