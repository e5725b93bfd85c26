/** Translates errors of stores: failures of the database become StorageErrors, other errors pass unchanged. */
import type { StorageError } from '../../telemetry/storage-error.ts';
import { driverError } from './driver-error.ts';

/**
 * @param stores asynchronous stores, possibly nested
 * @param asStorageError null for an error that is not about storage
 */
export const translateErrors = <T extends object>(stores: T, asStorageError: (error: unknown) => StorageError | null): T =>
  new Proxy(stores, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name);
      if (typeof member === 'object' && member !== null) return translateErrors(member, asStorageError);
      if (typeof member !== 'function') return member;
      return async (...args: unknown[]) => {
        try {
          return await member.apply(target, args);
        } catch (error) {
          const cause = driverError(error);
          throw asStorageError(cause) ?? cause;
        }
      };
    },
  });
