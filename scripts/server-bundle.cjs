/**
 * Which bundle of the server is current: docs/adr/042. `.cache/server.json` names its folder, and size and time of change of every file that went
 * into it and came out of it. So a bundle is never run after a change of its sources, its packages, this machine's Node or the bundle itself.
 */
'use strict';

const { readFileSync, statSync, writeFileSync } = require('node:fs');
const { basename, dirname, join } = require('node:path');

/** The programs of server/entry that are bundled, and the entry of their threads. */
const entries = ['gateway', 'cloud-gateway', 'thread'];

const cacheOf = (root) => join(root, '.cache');
const manifestOf = (root) => join(cacheOf(root), 'server.json');

/** What a file is known by: when it changed last, and its size; zeros when there is none. */
function stateOf(file) {
  const stat = statSync(file, { throwIfNoEntry: false });
  return stat ? [stat.mtimeMs, stat.size] : [0, 0];
}

/** @param state path from the root, and what stateOf returned for it */
function isUnchanged(root, [file, changedMs, size]) {
  const stat = statSync(`${root}/${file}`, { throwIfNoEntry: false });
  return stat ? stat.mtimeMs === changedMs && stat.size === size : changedMs === 0;
}

/** @returns the folder of the bundle of this tree, null unless it is current */
function currentBundle(root) {
  try {
    const { node, folder, files } = JSON.parse(readFileSync(manifestOf(root), 'utf8'));
    if (node !== process.version || !files.length) return null;
    return files.every((state) => isUnchanged(root, state)) ? join(cacheOf(root), folder) : null;
  } catch {
    // No manifest, or a damaged one.
    return null;
  }
}

/** @returns the folder when it is that of a bundle, else null */
const bundleFolder = (folder) => (/^server-\d+-\d+$/.test(basename(folder)) && basename(dirname(folder)) === '.cache' ? folder : null);

/** Notes that this process runs the bundle, which is then kept for threads that it starts later. */
function markUse(folder) {
  try {
    writeFileSync(join(folder, `used-${process.pid}`), '');
  } catch {
    // A tree that cannot be written runs what is there.
  }
}

module.exports = { bundleFolder, cacheOf, currentBundle, entries, manifestOf, markUse, stateOf };
