/** Stores that say what went wrong in words of ours: what SQLite throws over a disk comes out as a StorageError, the rest as it is. */
import { storageErrorKind } from '../../telemetry/sqlite/storage-error-kind.ts';
import { StorageError } from '../../telemetry/storage-error.ts';

/** @param stores whose methods, like those of the stores in them, are asynchronous */
export const translateErrors = <T extends object>(stores: T): T =>
  new Proxy(stores, {
    get: (target, name) => {
      const found: unknown = Reflect.get(target, name);
      if (typeof found === 'object' && found !== null) return translateErrors(found);
      return typeof found === 'function' ? (...given: unknown[]) => translated(() => found.apply(target, given)) : found;
    },
  });

async function translated(work: () => unknown): Promise<unknown> {
  try {
    return await work();
  } catch (error) {
    const errorKind = storageErrorKind(error);
    throw errorKind === null ? error : new StorageError(errorKind, (error as Error).message);
  }
}
