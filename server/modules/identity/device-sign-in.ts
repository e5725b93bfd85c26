/** Device sign-in: a machine requests a key, a signed-in user approves, and the machine fetches the key once. */
import type { Permission } from '../../../shared/contract/identity/permissions.ts';
import { fail } from '../../app/fail.ts';
import type { Context } from '../../app/module.ts';
import { Answer, defineModule } from '../../app/module.ts';
import { withinLimit } from '../../app/plan-limits.ts';
import type { Services } from '../../app/services.ts';
import type { Actor } from '../../control/actor.ts';
import type { DeviceDraft, DeviceProof, DeviceState } from '../../control/device-sign-in-store.ts';
import { Duplicate } from '../../control/duplicate.ts';
import { challengeOf } from '../../identity/device-codes.ts';
import { newKeyValue } from '../../identity/key-value.ts';
import { permissionsOf } from '../../identity/role-permissions.ts';

const lifeSeconds = 600;
const intervalSeconds = 5;
const attemptsMax = 3;
/** A machine's key may only send. */
const keyPermissions: readonly Permission[] = ['trace.write', 'score.write'];
const nameless = 'a machine without a name';

type SignInServices = Pick<Services, 'control' | 'deviceCodes' | 'clock' | 'plans'>;

export const deviceSignInModule = defineModule({
  group: 'deviceSignIn',
  needs: ['control', 'deviceCodes', 'clock', 'plans'],
  build: (services) => ({
    start: async ({ principal, baseUrl }, { body }) => {
      const { deviceCodes, clock } = services;
      const device_code = deviceCodes.newDeviceCode();
      const user_code = await startWithCode(services, {
        ...{ ...body, machine_name: visibleText(body.machine_name) || nameless, product_version: visibleText(body.product_version) },
        ...{ device_digest: deviceCodes.digestsOfDeviceCode(device_code)[0], ip: principal.actor.ip, interval_seconds: intervalSeconds },
        expires_at: new Date(clock.now() + lifeSeconds * 1000).toISOString(),
      });
      // In the fragment, which appears in no log.
      const page = `${baseUrl}/#/link`;
      const verification = { user_code, verification_uri: page, verification_uri_complete: `${page}?code=${user_code}` };
      return { data: { device_code, ...verification, expires_in: lifeSeconds, interval: intervalSeconds } };
    },

    token: async ({ principal }, { body }) => {
      const { control, deviceCodes } = services;
      const { device_code, code_verifier } = body;
      const code_challenge = challengeOf(code_verifier);
      const polled = await firstFound(deviceCodes.digestsOfDeviceCode(device_code), async (device_digest) => {
        const proof = { device_digest, code_challenge };
        const state = await control.deviceSignIns.poll(proof);
        return state && { proof, state };
      });
      if (!polled) return { data: { status: 'expired' as const } };
      const { proof, state } = polled;
      if (state.status === 'approved') return { data: await issueKey(services, proof, state, principal.actor) };
      return { data: state.status === 'denied' ? state : { status: state.status, interval: state.interval_seconds } };
    },

    find: async (_, { body }) => {
      const { control, deviceCodes } = services;
      const found = await firstFound(deviceCodes.digestsOfUserCode(body.user_code), (digest) => control.deviceSignIns.findPending(digest));
      return { data: found ?? unknown() };
    },

    approve: async (context, { body }) => ({ data: (await approveDevice(services, context, body)) ?? unknown() }),

    deny: async ({ principal, scope }, { body }) => {
      const { control, deviceCodes } = services;
      const deny = async (digest: Uint8Array) => (await control.deviceSignIns.deny(principal.actor, scope.tenant_id, digest)) || null;
      if (!(await firstFound(deviceCodes.digestsOfUserCode(body.user_code), deny))) unknown();
      return new Answer(204, undefined);
    },
  }),
});

/** A request that was made before the secret of the deployment has changed is stored under another digest. */
async function firstFound<T>(digests: readonly Uint8Array[], find: (digest: Uint8Array) => Promise<T | null>): Promise<T | null> {
  for (const digest of digests) {
    const found = await find(digest);
    if (found !== null) return found;
  }
  return null;
}

/** The same for unknown, expired and decided codes. */
const unknown = (): never => fail('device_sign_in_not_found', 'No machine is waiting with that code, or the code has expired');

/** Visible characters only: no line breaks, invisible characters or bidirectional controls. */
const visibleText = (name: string): string =>
  name
    .replace(/[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu, ' ')
    .replace(/ +/g, ' ')
    .trim();

/** Stores the request under a new code, which the machine shows. */
async function startWithCode({ control, deviceCodes }: SignInServices, draft: Omit<DeviceDraft, 'user_digest'>): Promise<string> {
  for (let attempt = 1; ; attempt++) {
    const code = deviceCodes.newUserCode();
    try {
      await control.deviceSignIns.start({ ...draft, user_digest: deviceCodes.digestsOfUserCode(code)[0] });
      return code;
    } catch (error) {
      if (!(error instanceof Duplicate) || attempt === attemptsMax) throw error;
    }
  }
}

interface Approval {
  user_code: string;
  environment_name: string;
}

async function approveDevice(services: SignInServices, { principal, scope }: Context, { user_code, environment_name }: Approval) {
  const { control, deviceCodes, plans } = services;
  const environment = await control.environments.findNamed(scope, environment_name);
  if (!environment)
    fail('invalid_request_body', 'Invalid request body', { details: { environment_name: 'is not an environment of this app' } });
  const approve = (max: number | null) =>
    firstFound(deviceCodes.digestsOfUserCode(user_code), (digest) =>
      control.deviceSignIns.approve(principal.actor, scope, digest, environment.id, max),
    );
  return withinLimit(await plans.of(scope.tenant_id), 'api_keys', approve);
}

type Approved = Extract<DeviceState, { status: 'approved' }>;

/** Creates the key on behalf of the approver, who must still have the permission; everything else is read earlier. */
async function issueKey({ control }: SignInServices, proof: DeviceProof, { scope, decided_by }: Approved, { ip }: Actor) {
  const { tenant_id, app_id } = scope;
  const [member, tenant, app] = await Promise.all([
    control.tenants.findMember(tenant_id, decided_by),
    control.tenants.find(tenant_id),
    control.apps.find(tenant_id, app_id),
  ]);
  if (!member || !permissionsOf[member.role].has('api_key.insert')) return { status: 'denied' as const };
  const { value, digest, key_prefix } = newKeyValue();
  const approver: Actor = { kind: 'user', id: member.id, ip };
  const redeemed =
    tenant && app && (await control.deviceSignIns.redeem(approver, scope, proof, { digest, key_prefix, permissions: keyPermissions }));
  if (!redeemed) return { status: 'expired' as const };
  return { status: 'linked' as const, key: value, app_id, app_name: app.name, tenant_name: tenant.name, environment: redeemed.environment };
}
