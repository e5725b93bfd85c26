/** A place for a series of backups. */
export interface BackupPlace {
  /** Of complete backups, oldest first. */
  names(): Promise<string[]>;
  /**
   * Adds a backup. One at a time: another one is refused meanwhile.
   * @param copyTo makes the copies in a folder
   */
  add(name: string, copyTo: (folder: string) => Promise<unknown>): Promise<void>;
  /** @param to an existing folder, for the files of the backup */
  fetch(name: string, to: string): Promise<void>;
  remove(name: string): Promise<void>;
}

/** Names sort by time: `2026-11-30T17-25-00Z`. */
export const backupName = (at: Date): string => `${at.toISOString().slice(0, 19).replaceAll(':', '-')}Z`;

export const isBackupName = (name: string): boolean => /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ$/.test(name);
