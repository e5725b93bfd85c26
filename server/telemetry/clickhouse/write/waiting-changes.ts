/**
 * Changes from a journal that failed and are applied again later. Until then later changes of their apps that refer to traces wait, so that a deletion
 * does not overtake spans that were accepted before it.
 */
import type { Scope } from '../../../platform/scope.ts';
import { StorageError } from '../../storage-error.ts';
import type { StoreRequest, StoreResult } from '../../store-requests.ts';
import { appKey } from './app-key.ts';

/** An erasure also takes what is stored after it. */
const refersToTraces: ReadonlySet<StoreRequest['kind']> = new Set(['tags', 'scores', 'score removal', 'deletion']);

export class WaitingChanges {
  /** Numbers of entries, by app. */
  readonly #byApp = new Map<string, Set<number>>();

  /** Null for a change that need not wait. @param number of its entry; a later one has a higher number */
  refusal({ scope, kind }: StoreRequest, number: number): StoreResult | null {
    if (!refersToTraces.has(kind)) return null;
    const isBehind = this.#byApp
      .get(appKey(scope))
      ?.values()
      .some((waiting) => waiting < number);
    if (!isBehind) return null;
    const error = new StorageError('busy', 'Earlier changes of the app wait to be stored');
    error.isOfOne = true;
    return { error };
  }

  note(scope: Scope, number: number, result: StoreResult): void {
    const key = appKey(scope);
    if ('error' in result && result.error.errorKind !== 'mistake') this.#byApp.set(key, (this.#byApp.get(key) ?? new Set()).add(number));
    else this.#remove(key, number);
  }

  forget(number: number): void {
    for (const key of [...this.#byApp.keys()]) this.#remove(key, number);
  }

  #remove(key: string, number: number): void {
    const waiting = this.#byApp.get(key);
    waiting?.delete(number);
    if (waiting?.size === 0) this.#byApp.delete(key);
  }
}
