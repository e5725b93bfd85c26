/*
 * Runs before anything else, and before any native module is loaded: an old Node crashes on better-sqlite3 with a
 * segmentation fault and on our sources with a syntax error, neither of which says what to do.
 * Written in syntax that Node 12 can parse. 22.18 is the first version that strips types without a flag.
 */
'use strict';

var required = [22, 18];
var running = process.versions.node.split('.').map(Number);
var oldEnough = running[0] > required[0] || (running[0] === required[0] && running[1] >= required[1]);

if (!oldEnough) {
  process.stderr.write(
    'Glasshouse needs Node ' +
      required.join('.') +
      ' or newer; this is ' +
      process.versions.node +
      ' (' +
      process.execPath +
      ').\n' +
      'On Linux and Windows `npm ci` brings the right one and every `npm run` uses it: run the command through npm.\n' +
      'If you did, npm has skipped the optional packages or their link: `npm ci --include=optional`, then `npm rebuild --ignore-scripts`.\n' +
      'On a Mac, install Node 24 (`.nvmrc` names the version).\n',
  );
  process.exit(1);
}
