import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { autostartFile, setAutostart } from './autostart.ts';

test('a desktop entry with every argument quoted is written, and removed again', () => {
  const home = mkdtempSync(join(tmpdir(), 'glasshouse-autostart-'));
  const file = autostartFile(home);
  setAutostart(file, true, ['/opt/a "b" $c/100%/Glasshouse', '--hidden']);
  expect(readFileSync(file, 'utf8')).toContain('Exec="/opt/a \\\\"b\\\\" \\\\$c/100%%/Glasshouse" "--hidden"\n');
  setAutostart(file, false, []);
  expect(statSync(file, { throwIfNoEntry: false })).toBeUndefined();
  setAutostart(file, false, []);
  rmSync(home, { recursive: true });
});
