import { randomUUID } from 'node:crypto';
import { and, eq, gt, lte } from 'drizzle-orm';
import type { Scope } from '../../platform/scope.ts';
import { type Actor, signatureOf } from '../actor.ts';
import type { DeviceDraft, DeviceKeyDraft, DeviceProof, DeviceSignInStore, DeviceState, PendingDevice } from '../device-sign-in-store.ts';
import { type ControlDatabase, orDuplicate, type Reads } from './control-database.ts';
import { isEnvironment } from './environment-rows.ts';
import { assertKeysBelow, freeKeyName, insertKey } from './key-rows.ts';
import { deviceSignIns } from './schema/device-sign-in.ts';
import { environments } from './schema/identity.ts';

type Row = typeof deviceSignIns.$inferSelect;

/** Added wait after an early poll (RFC 8628, 3.5). */
const slowerSeconds = 5;
/** Tolerance, because timers and networks are not exact. */
const earlyMs = 500;

const asPendingDevice = ({ machine_name, product_version, ip, created_at, expires_at }: Row): PendingDevice => ({
  ...{ machine_name, product_version, ip },
  ...{ created_at, expires_at },
});

const ofApp = ({ tenant_id, app_id }: Scope) => and(eq(deviceSignIns.tenant_id, tenant_id), eq(deviceSignIns.app_id, app_id));

const byMachine = ({ device_digest, code_challenge }: DeviceProof) =>
  and(eq(deviceSignIns.device_digest, Buffer.from(device_digest)), eq(deviceSignIns.code_challenge, code_challenge));

export class DeviceSignInRows implements DeviceSignInStore {
  readonly #database: ControlDatabase;

  constructor(database: ControlDatabase) {
    this.#database = database;
  }

  async start({ device_digest, user_digest, ...draft }: DeviceDraft): Promise<void> {
    const digests = { device_digest: Buffer.from(device_digest), user_digest: Buffer.from(user_digest) };
    await this.#database.transaction(async (write, created_at) => {
      await write.delete(deviceSignIns).where(lte(deviceSignIns.expires_at, created_at)).run();
      const row = { ...draft, ...digests, id: randomUUID(), created_at, status: 'pending' as const };
      await orDuplicate('device code', '', () => write.insert(deviceSignIns).values(row).run());
    });
  }

  async findPending(userDigest: Uint8Array): Promise<PendingDevice | null> {
    const row = await this.#pending(this.#database.queries, userDigest);
    return row ? asPendingDevice(row) : null;
  }

  async approve(
    by: Actor,
    scope: Scope,
    userDigest: Uint8Array,
    environment_id: string,
    max: number | null,
  ): Promise<PendingDevice | null> {
    const decision = { status: 'approved', ...scope, environment_id } as const;
    return this.#decide(by, scope, userDigest, decision, (write, now) => assertKeysBelow(write, scope, max, now));
  }

  async deny(by: Actor, tenant_id: string, userDigest: Uint8Array): Promise<boolean> {
    return (await this.#decide(by, { tenant_id }, userDigest, { status: 'denied', tenant_id })) !== null;
  }

  async poll(proof: DeviceProof): Promise<DeviceState | null> {
    return this.#database.transaction(async (write, asked_at): Promise<DeviceState | null> => {
      const row = await write
        .select()
        .from(deviceSignIns)
        .where(and(byMachine(proof), this.#isCurrent()))
        .get();
      if (!row) return null;
      const { status, tenant_id, app_id, decided_by } = row;
      if (status === 'denied') return { status };
      if (status === 'approved' && tenant_id !== null && app_id !== null && decided_by !== null)
        return { status, scope: { tenant_id, app_id }, decided_by };
      const isEarly = row.asked_at !== null && Date.parse(asked_at) - Date.parse(row.asked_at) < row.interval_seconds * 1000 - earlyMs;
      const interval_seconds = row.interval_seconds + (isEarly ? slowerSeconds : 0);
      await write.update(deviceSignIns).set({ asked_at, interval_seconds }).where(eq(deviceSignIns.id, row.id)).run();
      return { status: isEarly ? 'slow_down' : 'pending', interval_seconds };
    });
  }

  async redeem(by: Actor, scope: Scope, proof: DeviceProof, draft: DeviceKeyDraft): Promise<{ environment: string } | null> {
    const id = randomUUID();
    return this.#database.write({ by, ...scope, action: 'api_key.create', target: id }, async (write, created_at) => {
      const isApproved = and(ofApp(scope), byMachine(proof), this.#hasStatus('approved'));
      const row = await write.select().from(deviceSignIns).where(isApproved).get();
      const environment = row && (await environmentOf(write, scope, row));
      if (!row || !environment) return { result: null, unchanged: true };
      await write.delete(deviceSignIns).where(eq(deviceSignIns.id, row.id)).run();
      const name = await freeKeyName(write, scope, row.machine_name);
      const binding = { name, environment_id: environment.id, environment_kinds: null, run_id: null, expires_at: null };
      const key = await insertKey(write, { by, scope, id, created_at }, { ...draft, ...binding });
      return { result: { environment: environment.name }, after: key };
    });
  }

  /** The first decision counts: a decided request is not found. */
  async #decide(
    by: Actor,
    owner: Pick<Scope, 'tenant_id'> & Partial<Scope>,
    userDigest: Uint8Array,
    decision: Partial<Row> & Pick<Row, 'status'>,
    assertAllowed: (write: Reads, now: string) => Promise<void> = async () => {},
  ): Promise<PendingDevice | null> {
    const target = (await this.#pending(this.#database.queries, userDigest))?.id ?? '';
    const action = decision.status === 'approved' ? 'device_sign_in.approve' : 'device_sign_in.deny';
    return this.#database.write({ by, ...owner, action, target }, async (write, now) => {
      const row = await this.#pending(write, userDigest);
      if (!row) return { result: null, unchanged: true };
      await assertAllowed(write, now);
      const decided = { ...decision, decided_by: signatureOf(by) };
      await write.update(deviceSignIns).set(decided).where(eq(deviceSignIns.id, row.id)).run();
      return { result: asPendingDevice(row), before: asPendingDevice(row), after: { ...asPendingDevice(row), ...decided } };
    });
  }

  #pending(queries: Reads, userDigest: Uint8Array): Promise<Row | undefined> {
    const isPending = and(eq(deviceSignIns.user_digest, Buffer.from(userDigest)), this.#hasStatus('pending'));
    return queries.select().from(deviceSignIns).where(isPending).get();
  }

  #hasStatus(status: Row['status']) {
    return and(eq(deviceSignIns.status, status), this.#isCurrent());
  }

  #isCurrent() {
    return gt(deviceSignIns.expires_at, this.#database.now());
  }
}

const environmentOf = (queries: Reads, scope: Scope, { environment_id }: Row) =>
  queries
    .select({ id: environments.id, name: environments.name })
    .from(environments)
    .where(isEnvironment(scope, environment_id ?? ''))
    .get();
