/** A place for the backups of one data folder. */
export interface BackupPlace {
  /** Of complete backups, oldest first. */
  names(): Promise<string[]>;
  /** Adds a backup. @param copyTo makes the copies in a folder, which is on the disk of the place or, for a bucket, of the data folder */
  add(name: string, copyTo: (folder: string) => Promise<unknown>): Promise<void>;
  /** Removes what programs that were killed have left. */
  tidy(): Promise<void>;
  /** Copies the stores of a backup. @param to an existing folder without stores */
  fetch(name: string, to: string): Promise<void>;
  remove(name: string): Promise<void>;
  /** Id of the data folder whose backups these are; null for a place without backups. */
  source(): Promise<string | null>;
  setSource(id: string): Promise<void>;
}

/** Names sort by time: `2026-11-30T17-25-00Z`. */
export const backupName = (at: Date): string => `${at.toISOString().slice(0, 19).replaceAll(':', '-')}Z`;

export const isBackupName = (name: string): boolean => /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ$/.test(name);

/** Milliseconds since 1970. */
export const timeOfBackup = (name: string): number => Date.parse(name.replace(/T(\d\d)-(\d\d)-(\d\d)Z/, 'T$1:$2:$3Z'));

/** Files of a backup. */
export const isStoreFile = (name: string): boolean => name === 'telemetry.db' || name === 'control.db';

/** Beside the backups: the id of their data folder, as text. */
export const sourceFile = 'source.txt';
