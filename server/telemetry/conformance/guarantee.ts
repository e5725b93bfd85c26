import type { TelemetryCapability } from '../capabilities.ts';
import type { TelemetryStore } from '../store.ts';
import type { Tenant } from './tenant.ts';

/** Data of a store. It outlives the open store, so that a test can close one and open another with the same data. */
export interface StoreLocation {
  open(): Promise<TelemetryStore>;
  /** Size of the data. Call it only while no store is open. */
  sizeBytes(): Promise<number>;
  /** How much the size varies when rows are replaced by the same ones, because they are compressed together with others. None by default. */
  sizeVariesBy?: number;
  remove(): Promise<void>;
}

/** What a test can use. */
export interface GuaranteeContext {
  /** A new app, in a store that all tests share. */
  tenant(): Tenant;
  /** A location of its own, removed after the test, for tests that close their store. */
  location(): StoreLocation;
  /** Number of random cases: fewer for a store where each takes long. GLASSHOUSE_PROPERTY_RUNS asks for another number. */
  cases(ordinary: number): number;
}

export interface GuaranteeOptions {
  timeoutMs?: number;
  /** Stores without this capability do not give the guarantee. */
  needs?: TelemetryCapability;
}

/** Declares one guarantee of the suite. */
export type DeclareGuarantee = (title: string, test: (context: GuaranteeContext) => Promise<void>, options?: GuaranteeOptions) => void;

/** Guarantees that all need the same capability. */
export const needing =
  (needs: TelemetryCapability, declareAll: (guarantee: DeclareGuarantee) => void) =>
  (guarantee: DeclareGuarantee): void =>
    declareAll((title, test, options) => guarantee(title, test, { ...options, needs }));

/** Opens the store at a location while `use` runs. */
export async function whileOpen<T>(location: StoreLocation, use: (store: TelemetryStore) => Promise<T>): Promise<T> {
  const store = await location.open();
  try {
    return await use(store);
  } finally {
    await store.stop();
  }
}
