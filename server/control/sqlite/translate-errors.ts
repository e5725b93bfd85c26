/** Translates errors of stores: disk failures of SQLite become StorageErrors, other errors pass unchanged. */
import { storageErrorKind } from '../../telemetry/sqlite/file/storage-error-kind.ts';
import { StorageError } from '../../telemetry/storage-error.ts';

/** @param stores asynchronous stores, possibly nested */
export const translateErrors = <T extends object>(stores: T): T =>
  new Proxy(stores, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name);
      if (typeof member === 'object' && member !== null) return translateErrors(member);
      return typeof member === 'function' ? (...args: unknown[]) => withTranslation(() => member.apply(target, args)) : member;
    },
  });

async function withTranslation(work: () => unknown): Promise<unknown> {
  try {
    return await work();
  } catch (error) {
    const errorKind = storageErrorKind(error);
    throw errorKind === null ? error : new StorageError(errorKind, (error as Error).message);
  }
}
