/**
 * Guarantees of every control store. An implementation runs this suite in its own test file. Everything that is checked before it is written
 * is a race here: 200 attempts that start at once, over several gateways that share the records.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ControlStore } from '../control-store.ts';
import { agentRunGuarantees } from './agent-runs.ts';
import { agentSessionGuarantees } from './agent-sessions.ts';
import { alertChannelGuarantees, alertGroupGuarantees } from './alert-channels.ts';
import { alertWatchGuarantees } from './alert-watch.ts';
import { alertGuarantees } from './alerts.ts';
import { appGuarantees } from './apps.ts';
import { assignmentGuarantees } from './assignments.ts';
import { auditGuarantees } from './audit.ts';
import { CalledMembers } from './called-members.ts';
import { datasetRowGuarantees } from './dataset-rows.ts';
import { deploymentGuarantees } from './deployments.ts';
import { deviceSignInGuarantees } from './device-sign-ins.ts';
import { evalGuarantees } from './evals.ts';
import { experimentRunGuarantees } from './experiment-runs.ts';
import { gitGuarantees } from './git.ts';
import type { ControlLocation, DeclareGuarantee } from './guarantee.ts';
import { invitationGuarantees } from './invitations.ts';
import { keyGuarantees } from './keys.ts';
import { leaseGuarantees } from './leases.ts';
import { noticeGuarantees } from './notices.ts';
import { passwordResetGuarantees } from './password-resets.ts';
import { queueRuleGuarantees } from './queue-rules.ts';
import { raceOver } from './race.ts';
import { retentionGuarantees } from './retention.ts';
import { reviewGuarantees } from './reviews.ts';
import { sagaGuarantees } from './sagas.ts';
import { scoreConfigGuarantees } from './score-configs.ts';
import { sealedTextGuarantees } from './sealed-texts.ts';
import { shareLinkGuarantees } from './share-links.ts';
import { snapshotGuarantees } from './snapshots.ts';
import { tenancyGuarantees } from './tenancy.ts';
import { tenantGuarantees } from './tenants.ts';
import { TestTime } from './test-time.ts';
import { userGuarantees } from './users.ts';

const subjects: Record<string, (guarantee: DeclareGuarantee) => void> = {
  leases: leaseGuarantees,
  tenants: tenantGuarantees,
  'users and logins': userGuarantees,
  'password resets': passwordResetGuarantees,
  invitations: invitationGuarantees,
  'device sign-ins': deviceSignInGuarantees,
  keys: keyGuarantees,
  apps: appGuarantees,
  'environments and sagas': sagaGuarantees,
  retention: retentionGuarantees,
  'share links': shareLinkGuarantees,
  deployments: deploymentGuarantees,
  snapshots: snapshotGuarantees,
  git: gitGuarantees,
  'dataset rows': datasetRowGuarantees,
  'queues, reviews and comments': reviewGuarantees,
  'assignment of items': assignmentGuarantees,
  notices: noticeGuarantees,
  'rules of queues': queueRuleGuarantees,
  'score configurations': scoreConfigGuarantees,
  alerts: alertGuarantees,
  'alert watch': alertWatchGuarantees,
  'channels of alerts': alertChannelGuarantees,
  'groups of notices': alertGroupGuarantees,
  'sealed texts': sealedTextGuarantees,
  evals: evalGuarantees,
  'experiment runs': experimentRunGuarantees,
  'agent sessions': agentSessionGuarantees,
  'agent runs': agentRunGuarantees,
  audit: auditGuarantees,
  tenancy: tenancyGuarantees,
};

/** @param gateways number of open stores that the attempts of a race are spread over */
export function describeControlStore(name: string, newLocation: () => ControlLocation, { gateways }: { gateways: number }): void {
  describe(`control store ${name}`, () => {
    const shared = newLocation();
    const time = new TestTime();
    const members = new CalledMembers();
    let stores: ControlStore[];
    beforeAll(async () => {
      stores = [];
      for (let gateway = 0; gateway < gateways; gateway++) stores.push(members.record(await shared.open(time)));
    });
    afterAll(async () => {
      for (const store of stores) await store.stop();
      await shared.remove();
    });

    const declare: DeclareGuarantee = (title, test) =>
      it(title, async () => {
        const own = new OwnLocations(newLocation, members);
        try {
          const race = <T>(attempt: (control: ControlStore, index: number) => Promise<T>) => raceOver(stores, attempt);
          await test({ control: stores[0] as ControlStore, time, race, location: () => own.add() });
        } finally {
          await own.remove();
        }
      });
    for (const [subject, declareAll] of Object.entries(subjects)) describe(subject, () => declareAll(declare));

    it('every member of every interface is called by this suite', () => {
      expect(members.missing).toEqual([]);
    });
  });
}

/** Locations of one test. */
class OwnLocations {
  readonly #newLocation: () => ControlLocation;
  readonly #members: CalledMembers;
  readonly #locations: ControlLocation[] = [];
  readonly #open = new Set<ControlStore>();

  constructor(newLocation: () => ControlLocation, members: CalledMembers) {
    this.#newLocation = newLocation;
    this.#members = members;
  }

  add(): Pick<ControlLocation, 'open'> {
    const location = this.#newLocation();
    this.#locations.push(location);
    return {
      open: async (clock) => {
        const store = this.#members.record(await location.open(clock));
        this.#open.add(store);
        const stop = () => {
          this.#open.delete(store);
          return store.stop();
        };
        return { ...store, stop };
      },
    };
  }

  async remove(): Promise<void> {
    for (const store of this.#open) await store.stop();
    for (const location of this.#locations) await location.remove();
  }
}
