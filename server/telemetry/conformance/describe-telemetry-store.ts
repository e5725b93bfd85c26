/**
 * Guarantees of every telemetry store. An implementation runs this suite in its own test file. Guarantees that need a capability which the store
 * does not declare are skipped; nothing else is.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { propertyRuns } from '../../fixtures/property-runs.ts';
import { type TelemetryCapability, telemetryCapabilities } from '../capabilities.ts';
import type { TelemetryStore } from '../store.ts';
import { activityGuarantees } from './activity.ts';
import { agentTurnGuarantees } from './agent-turns.ts';
import { allowanceGuarantees } from './allowances.ts';
import { arrivalOrderGuarantees } from './arrival-order.ts';
import { CalledMembers } from './called-members.ts';
import { comparisonGuarantees } from './comparisons.ts';
import { conditionGuarantees } from './condition.ts';
import { contextGuarantees } from './context-windows.ts';
import { cursorGuarantees } from './cursors.ts';
import { deletionGuarantees } from './deletions.ts';
import { derivationGuarantees } from './derivation.ts';
import { attributionGuarantees } from './environment-attribution.ts';
import { erasureGuarantees } from './erasure.ts';
import { errorGroupGuarantees } from './error-groups.ts';
import { experimentGuarantees } from './experiments.ts';
import { filterGuarantees } from './filters.ts';
import { groupComparisonGuarantees } from './group-comparisons.ts';
import { type DeclareGuarantee, needing, type StoreLocation } from './guarantee.ts';
import { lookupGuarantees } from './lookups.ts';
import { metricsGuarantees } from './metrics.ts';
import { payloadGuarantees } from './payloads.ts';
import { pendingGuarantees } from './pending.ts';
import { repeatedTextGuarantees } from './repeated-texts.ts';
import { runawayGuarantees } from './runaways.ts';
import { scopeGuarantees } from './scopes.ts';
import { scoreSearchGuarantees } from './score-search.ts';
import { scoreGuarantees } from './scores.ts';
import { searchGuarantees } from './search.ts';
import { seenBeforeGuarantees } from './seen-before.ts';
import { sessionGuarantees } from './sessions.ts';
import { spanGuarantees } from './spans.ts';
import { tenancyGuarantees } from './tenancy.ts';
import { Tenant } from './tenant.ts';
import { traceMatchGuarantees } from './trace-matches.ts';
import { tagGuarantees } from './trace-tags.ts';
import { traceGuarantees } from './traces.ts';
import { windowGuarantees } from './windows.ts';
import { writerGuarantees } from './writer.ts';

/** Hang limit: threads start slowly on a machine that runs all test files at once. */
const hangMs = 900_000;

const subjects = {
  writer: writerGuarantees,
  allowances: allowanceGuarantees,
  'environment attribution': attributionGuarantees,
  'pending spans': pendingGuarantees,
  scopes: scopeGuarantees,
  tenancy: tenancyGuarantees,
  deletions: deletionGuarantees,
  erasure: erasureGuarantees,
  cursors: cursorGuarantees,
  tags: tagGuarantees,
  runaways: needing('watches_runs', runawayGuarantees),
  traces: traceGuarantees,
  'places of words': traceMatchGuarantees,
  'error groups': errorGroupGuarantees,
  comparisons: comparisonGuarantees,
  'context windows': contextGuarantees,
  'comparisons of groups': groupComparisonGuarantees,
  'seen before': seenBeforeGuarantees,
  activity: activityGuarantees,
  spans: spanGuarantees,
  sessions: sessionGuarantees,
  scores: scoreGuarantees,
  filters: filterGuarantees,
  search: searchGuarantees,
  'score search': scoreSearchGuarantees,
  metrics: metricsGuarantees,
  experiments: experimentGuarantees,
  'watched windows': windowGuarantees,
  'spans, media and values by name': lookupGuarantees,
  condition: conditionGuarantees,
  derivation: derivationGuarantees,
  payloads: payloadGuarantees,
  'repeated texts': needing('shares_texts', repeatedTextGuarantees),
  'turns of agents': agentTurnGuarantees,
  'arrival order': arrivalOrderGuarantees,
} satisfies Record<string, (guarantee: DeclareGuarantee) => void>;

interface SuiteOptions {
  /** Of the ordinary number of random cases, which are others in each run. */
  share?: number;
  /** Only these, for another setting of a store that passes all elsewhere. */
  only?: readonly (keyof typeof subjects)[];
}

export function describeTelemetryStore(name: string, newLocation: () => StoreLocation, { share = 1, only }: SuiteOptions = {}): void {
  describe(`telemetry store ${name}`, () => {
    const shared = newLocation();
    const members = new CalledMembers();
    let store: TelemetryStore;
    beforeAll(async () => {
      store = members.record(await shared.open());
    });
    afterAll(async () => {
      await store.stop();
      await shared.remove();
    });

    const needed = new Set<TelemetryCapability>();
    const declare: DeclareGuarantee = (title, test, { timeoutMs = hangMs, needs } = {}) => {
      if (needs) needed.add(needs);
      it(title, { timeout: timeoutMs }, async (context) => {
        if (needs && !store.capabilities.includes(needs)) return context.skip(`The store does not declare ${needs}`);
        const locations: StoreLocation[] = [];
        const location = () => {
          const created = newLocation();
          locations.push(created);
          return { ...created, open: async () => members.record(await created.open()) };
        };
        try {
          await test({ tenant: () => new Tenant(store), location, cases: (ordinary) => propertyRuns(Math.ceil(ordinary * share)) });
        } finally {
          for (const created of locations) await created.remove();
        }
      });
    };
    for (const [subject, declareAll] of Object.entries(subjects))
      if (!only || (only as readonly string[]).includes(subject)) describe(subject, () => declareAll(declare));
    if (only) return;

    it('every member of the interface is called by this suite', (context) => {
      if (store.capabilities.length < telemetryCapabilities.length) return context.skip('Some guarantees were skipped');
      expect(members.missing).toEqual([]);
    });

    it('every capability is needed by a guarantee', () => {
      expect([...needed].sort()).toEqual([...telemetryCapabilities].sort());
    });
  });
}
