/** Where damaged stores are set aside, and where it says why. */
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export const quarantineFolder = (file: string): string => join(dirname(file), 'quarantine');
export const reasonFile = 'reason.txt';

/** So that the page about storage can say it later. */
export const noteReason = (folder: string, reason: string): void => writeFileSync(join(folder, reasonFile), `${reason}\n`, { mode: 0o600 });
