/** Owner of a data folder, for commands beside a gateway. */
export { folderInUse } from '../telemetry/sqlite/file/folder-lock.ts';
export { makeFolder } from '../telemetry/sqlite/file/prepare-folder.ts';
