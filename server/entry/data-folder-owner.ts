/** Checks which gateway uses a data folder, for commands. */
export { folderInUse } from '../telemetry/sqlite/file/folder-lock.ts';
export { makeFolder } from '../telemetry/sqlite/file/prepare-folder.ts';
