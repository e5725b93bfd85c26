/**
 * Authentication in the cloud (docs/reference/access.md#credentials). The credential alone decides what a request may access; the app header
 * is only compared with it. Nothing is cached, so a revocation takes effect at once.
 */
import type { IncomingMessage } from 'node:http';
import type { Route } from '../../shared/contract/core/route.ts';
import type { ControlStore } from '../control/control-store.ts';
import type { KnownKey } from '../control/key-store.ts';
import type { Role } from '../control/tenant-store.ts';
import type { Clock } from '../platform/clock.ts';
import { isKeyValue } from '../platform/key-form.ts';
import { StorageError } from '../telemetry/storage-error.ts';
import { type Authenticator, CredentialRefused, type Principal } from './authenticator.ts';
import type { ClientAddresses } from './client-addresses.ts';
import { credentialOf, whyNoCredential } from './credential.ts';
import { headerOf } from './header-names.ts';
import { digestOf } from './key-value.ts';
import { permissionsOf } from './role-permissions.ts';
import type { SessionTokens } from './session-token.ts';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const badCredential = 'The Authorization header holds no API key or login that is valid';
const badApp = 'The X-Service-App-Id header must name the app of the credential';

type Identity = Omit<Principal, 'scope'> & {
  tenantId: string;
  /** The one app of a key. */
  appId: string | null;
};

const noApp = '';

export class CloudAuthenticator implements Authenticator {
  readonly #control: ControlStore;
  readonly #tokens: SessionTokens;
  readonly #clients: ClientAddresses;
  readonly #clock: Clock;

  constructor(control: ControlStore, tokens: SessionTokens, clients: ClientAddresses, clock: Clock) {
    this.#control = control;
    this.#tokens = tokens;
    this.#clients = clients;
    this.#clock = clock;
  }

  async authenticate(request: IncomingMessage, route: Route, params: Record<string, unknown>): Promise<Principal> {
    const ip = this.#clients.of(request);
    if (route.permission === 'public') return anonymous(ip);
    const { appId, tenantId, ...identity } = await this.#identify(request, route, ip);
    return { ...identity, scope: { tenant_id: tenantId, app_id: await this.#appOf(request, route, params, tenantId, appId) } };
  }

  /** What is compared is all that may change: keys keep their permissions and their app, and logins their user and tenant. */
  async unchanged(principals: readonly Principal[]): Promise<ReadonlySet<Principal>> {
    const keys = principals.flatMap(({ key }) => key?.id ?? []);
    const logins = principals.filter(({ session }) => session !== null);
    const [activeKeys, roles, apps] = await Promise.all([
      keys.length > 0 ? this.#control.keys.active(keys) : new Set<string>(),
      logins.length > 0 ? this.#control.sessions.roles(logins.flatMap(({ session }) => session?.id ?? [])) : new Map<string, Role>(),
      logins.length > 0 ? this.#control.apps.existing([...new Set(logins.map(({ scope }) => scope.app_id))]) : new Set<string>(),
    ]);
    const isUnchanged = ({ key, session, scope }: Principal) =>
      key ? activeKeys.has(key.id) : session !== null && roles.get(session.id) === session.role && apps.has(scope.app_id);
    return new Set(principals.filter(isUnchanged));
  }

  async #identify(request: IncomingMessage, route: Route, ip: string | null): Promise<Identity> {
    const credential = credentialOf(request, route);
    if (!credential) throw new CredentialRefused(whyNoCredential(request, route));
    const identity = credential.kind === 'key' ? await this.#key(credential.value, route, ip) : await this.#login(credential.value, ip);
    if (!identity) throw new CredentialRefused(badCredential);
    return identity;
  }

  async #key(value: string, route: Route, ip: string | null): Promise<Identity | null> {
    const key = isKeyValue(value) ? await this.#control.keys.findByDigest(digestOf(value)) : null;
    if (!key) return null;
    // The worker socket distinguishes expired keys from unknown ones, so that a worker knows to stop.
    if (!this.#isValid(key)) {
      if (route.wire === 'socket') throw new CredentialRefused('The key is no longer valid', 'forbidden');
      return null;
    }
    await recordUse(() => this.#control.keys.touch(key.id));
    const { id, environment_id, environment_kinds, run_id } = key;
    return {
      tenantId: key.scope.tenant_id,
      appId: key.scope.app_id,
      actor: { kind: 'key', id, ip },
      may: (permission) => key.permissions.has(permission),
      session: null,
      key: { id, environment_id, environment_kinds, run_id },
    };
  }

  #isValid({ revoked_at, expires_at }: KnownKey): boolean {
    return revoked_at === null && (expires_at === null || Date.parse(expires_at) > this.#clock.now());
  }

  async #login(token: string, ip: string | null): Promise<Identity | null> {
    const claims = await this.#tokens.read(token);
    const session = claims && (await this.#control.sessions.find(claims.sid));
    if (!session || session.user_id !== claims.user_id || session.tenant_id !== claims.tenant_id) return null;
    const member = await this.#control.tenants.findMember(session.tenant_id, session.user_id);
    if (!member) return null;
    await recordUse(() => this.#control.sessions.touch(session));
    const allowed = permissionsOf[member.role];
    return {
      tenantId: session.tenant_id,
      appId: null,
      actor: { kind: 'user', id: member.id, ip },
      may: (permission) => allowed.has(permission),
      session: { id: session.id, user_id: member.id, role: member.role },
      key: null,
    };
  }

  /** App of a request. With a foreign app in the path the scope has no app, so that no records are found. */
  async #appOf(request: IncomingMessage, route: Route, params: Record<string, unknown>, tenantId: string, own: string | null) {
    const inHeader = headerOf(request, 'app');
    if (inHeader === null) throw new CredentialRefused(badApp);
    if (route.app === 'path') {
      const inPath = String(params.appId).toLowerCase();
      return (own ?? inPath) === inPath && (await this.#isOfTenant(tenantId, inPath)) ? inPath : noApp;
    }
    if (inHeader === undefined && route.app === 'key' && own !== null) return own;
    if (inHeader === undefined && route.app === 'none') return own ?? noApp;
    const requested = inHeader?.toLowerCase() ?? '';
    const isAllowed = own === null ? await this.#isOfTenant(tenantId, requested) : own === requested;
    if (!isAllowed) throw new CredentialRefused(badApp);
    return requested;
  }

  async #isOfTenant(tenantId: string, appId: string): Promise<boolean> {
    return uuid.test(appId) && (await this.#control.apps.find(tenantId, appId)) !== null;
  }
}

/** A full disk must not refuse readers just because the last use of a credential cannot be stored. */
async function recordUse(touch: () => Promise<void>): Promise<void> {
  try {
    await touch();
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
  }
}

const anonymous = (ip: string | null): Principal => ({
  scope: { tenant_id: noApp, app_id: noApp },
  actor: { kind: 'system', id: 'anybody', ip },
  may: () => false,
  session: null,
  key: null,
});
