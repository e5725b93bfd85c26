import type { Clock } from '../../platform/clock.ts';
import type { ControlStore } from '../control-store.ts';
import type { TestTime } from './test-time.ts';

/** Data of a control store. It outlives the open stores, of which there may be several at a time: one for each gateway. */
export interface ControlLocation {
  open(clock: Clock): Promise<ControlStore>;
  remove(): Promise<void>;
}

/** Results of concurrent attempts. */
export interface RaceResult<T> {
  values: T[];
  errors: Error[];
}

/** What a test can use. */
export interface GuaranteeContext {
  /** The store that all tests share, at the time of `time`. Other tests leave their records in it. */
  control: ControlStore;
  time: TestTime;
  /** Runs 200 attempts, all started at once, and spread over gateways that share the records. */
  race<T>(attempt: (control: ControlStore, index: number) => Promise<T>): Promise<RaceResult<T>>;
  /** An empty location of its own, for tests about records of all tenants. Its stores are stopped after the test. */
  location(): Pick<ControlLocation, 'open'>;
}

/** Declares one guarantee of the suite. */
export type DeclareGuarantee = (title: string, test: (context: GuaranteeContext) => Promise<void>) => void;
