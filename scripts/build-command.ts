/**
 * Bundles the `glasshouse` command into out/command, so that a packed app can ship it without our sources. electron-builder adds the
 * SQLite driver (electron-builder.yml).
 */
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundle } from './bundle.ts';

const root = join(import.meta.dirname, '..');
const outDir = join(root, 'out/command');

await bundle(root, { input: { glasshouse: join(root, 'server/cli/glasshouse.ts') }, outDir, extension: 'mjs' });
copyFileSync(join(root, 'scripts/packed-command.cjs'), join(outDir, 'glasshouse.cjs'));
