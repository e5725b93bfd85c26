/** Folders in the system's temporary folder: created for one run, removed after it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const makeScratchFolder = (purpose: string): string => mkdtempSync(join(tmpdir(), `glasshouse-${purpose}-`));

export const removeFolder = (folder: string): void => rmSync(folder, { recursive: true, force: true });
