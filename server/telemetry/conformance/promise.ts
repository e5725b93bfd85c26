import type { TelemetryStore } from '../store.ts';
import type { Tenant } from './tenant.ts';

/** Where a store keeps what it keeps. It outlives the store, so that a test can close one and open another over the same data. */
export interface StorePlace {
  open(): Promise<TelemetryStore>;
  /** What is kept takes this many bytes. Asked only while no store is open. */
  sizeBytes(): Promise<number>;
  remove(): Promise<void>;
}

/** What a test has to work with. */
export interface Stand {
  /** An app that no other test knows, on a store that all share. */
  tenant(): Tenant;
  /** A place of one's own, removed after the test: for tests that close their store. */
  place(): StorePlace;
}

/** Declares one promise of the suite. */
export type Declare = (title: string, test: (stand: Stand) => Promise<void>, timeoutMs?: number) => void;

/** Opens a store over a place for as long as `use` runs. */
export async function whileOpen<T>(place: StorePlace, use: (store: TelemetryStore) => Promise<T>): Promise<T> {
  const store = await place.open();
  try {
    return await use(store);
  } finally {
    await store.stop();
  }
}
