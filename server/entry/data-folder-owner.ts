/** For commands beside a gateway: who holds a data folder. */
export { folderInUse } from '../telemetry/sqlite/folder-lock.ts';
export { makeFolder } from '../telemetry/sqlite/prepare-folder.ts';
