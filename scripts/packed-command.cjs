/* Started by the launcher of an installed `glasshouse` command: reports an old Node before it fails on the bundle. */
'use strict';

var running = process.versions.node.split('.').map(Number);
if (running[0] < 22 || (running[0] === 22 && running[1] < 18)) {
  process.stderr.write(`glasshouse: this needs Node 22.18 or newer; this is ${process.versions.node}.\n`);
  process.exit(1);
}
void import('./glasshouse.mjs');
