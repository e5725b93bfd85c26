/**
 * What every telemetry store must do. An implementation runs this suite in its own test file; what it cannot do yet it
 * names as an excuse with a reason, and the suite shows it as skipped for that reason.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TelemetryStore } from '../store.ts';
import { allowancePromises } from './allowances.ts';
import { arrivalOrderPromises } from './arrival-order.ts';
import { derivationPromises } from './derivation.ts';
import { attributionPromises } from './environment-attribution.ts';
import { filterPromises } from './filters.ts';
import { metricsPromises } from './metrics.ts';
import { payloadPromises } from './payloads.ts';
import { pendingPromises } from './pending.ts';
import type { Declare, StorePlace } from './promise.ts';
import { repeatedTextPromises } from './repeated-texts.ts';
import { scopePromises } from './scopes.ts';
import { scoreSearchPromises } from './score-search.ts';
import { scorePromises } from './scores.ts';
import { searchPromises } from './search.ts';
import { sessionPromises } from './sessions.ts';
import { spanPromises } from './spans.ts';
import { tenancyPromises } from './tenancy.ts';
import { Tenant } from './tenant.ts';
import { tracePromises } from './traces.ts';
import { windowPromises } from './windows.ts';
import { writerPromises } from './writer.ts';

export interface Excuse {
  /** `subject › title` of the test. */
  test: string;
  reason: string;
}

/** Threads start slowly on a machine that runs every test file at once. */
const patienceMs = 60_000;

const subjects: Record<string, (promise: Declare) => void> = {
  writer: writerPromises,
  allowances: allowancePromises,
  'environment attribution': attributionPromises,
  'pending spans': pendingPromises,
  scopes: scopePromises,
  tenancy: tenancyPromises,
  traces: tracePromises,
  spans: spanPromises,
  sessions: sessionPromises,
  scores: scorePromises,
  filters: filterPromises,
  search: searchPromises,
  'score search': scoreSearchPromises,
  metrics: metricsPromises,
  'watched windows': windowPromises,
  derivation: derivationPromises,
  payloads: payloadPromises,
  'repeated texts': repeatedTextPromises,
  'arrival order': arrivalOrderPromises,
};

export function describeTelemetryStore(name: string, newPlace: () => StorePlace, { excused }: { excused: readonly Excuse[] }): void {
  describe(`telemetry store ${name}`, () => {
    const shared = newPlace();
    let store: TelemetryStore;
    beforeAll(async () => {
      store = await shared.open();
    });
    afterAll(async () => {
      await store.stop();
      await shared.remove();
    });

    const declared: string[] = [];
    const declare =
      (subject: string): Declare =>
      (title, test, timeoutMs) => {
        const full = `${subject} › ${title}`;
        declared.push(full);
        const excuse = excused.find((each) => each.test === full);
        it(title, { timeout: timeoutMs ?? patienceMs }, async (context) => {
          if (excuse) return context.skip(excuse.reason);
          const places: StorePlace[] = [];
          const place = () => {
            const made = newPlace();
            places.push(made);
            return made;
          };
          try {
            await test({ tenant: () => new Tenant(store), place });
          } finally {
            for (const made of places) await made.remove();
          }
        });
      };
    for (const [subject, promises] of Object.entries(subjects)) describe(subject, () => promises(declare(subject)));

    it('every excuse is for a promise of this suite', () => {
      expect(excused.map(({ test }) => test).filter((test) => !declared.includes(test))).toEqual([]);
    });
  });
}
