/** Owner of a data folder, for commands beside a gateway. */
export { folderInUse } from '../telemetry/sqlite/folder-lock.ts';
export { makeFolder } from '../telemetry/sqlite/prepare-folder.ts';
