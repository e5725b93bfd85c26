/**
 * Bundles the `glasshouse` command into out/command, so that it runs beside a packed app: none of our sources. electron-builder puts the
 * SQLite driver beside (electron-builder.yml).
 */
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundle } from './bundle.ts';

const root = join(import.meta.dirname, '..');
const outDir = join(root, 'out/command');

await bundle(root, outDir, { glasshouse: join(root, 'server/cli/glasshouse.ts') }, 'mjs');
copyFileSync(join(root, 'scripts/packed-command.cjs'), join(outDir, 'glasshouse.cjs'));
