/** Rate limits: tenants by their plan, sign-in by network address. See docs/reference/http-api.md#rate-limits. */
import type { Route } from '../../shared/contract/core/route.ts';
import type { Actor } from '../control/actor.ts';
import type { BucketStore, RateLimitStatus } from '../coordination/bucket-store.ts';
import type { Scope } from '../platform/scope.ts';
import { StorageError } from '../telemetry/storage-error.ts';
import { networkOf } from './network-of.ts';
import type { Plans } from './plans.ts';

const standardSignInsPerMinute = 20;
/** Enough for ten pending machines at the normal interval. The code cannot be guessed. */
const pollsPerMinute = 120;
/** Of readers of shared traces: from one network, and with one link. A reader needs about one for each span that is opened. */
const sharedReadsPerMinute = { network: 240, link: 600 };
/** E-mails that a person causes: of one team, and to one address whichever the team. Each kind is counted on its own. */
const mailsPerHour = { tenant: 100, address: 5 };
const hourMs = 60 * 60 * 1000;
const nothingAllowed: RateLimitStatus = { limit: 0, remaining: 0, resetSeconds: 60, retryAfterSeconds: 60 };

export class RateLimits {
  readonly #plans: Plans;
  readonly #buckets: BucketStore;
  readonly #signInsPerMinute: number;

  /** @param signInsPerMinute attempts from one network */
  constructor(plans: Plans, buckets: BucketStore, signInsPerMinute = standardSignInsPerMinute) {
    this.#plans = plans;
    this.#signInsPerMinute = signInsPerMinute;
    this.#buckets = buckets;
  }

  /**
   * Counts a request. Null without a limit.
   * @throws StorageError when attempts to sign in cannot be counted, so that nobody can guess passwords then; other requests are allowed
   */
  async admit({ scope, actor }: { scope: Scope; actor: Actor }, { permission, rate }: Route): Promise<RateLimitStatus | null> {
    if (rate === 'login') return this.#buckets.take(`login ${networkOf(actor.ip ?? '')}`, this.#signInsPerMinute);
    if (rate === 'poll') return this.#take(`poll ${networkOf(actor.ip ?? '')}`, pollsPerMinute);
    if (rate === 'share') return this.#take(`share ${networkOf(actor.ip ?? '')}`, sharedReadsPerMinute.network);
    if (permission === 'public') return null;
    const { requests_per_minute, searches_per_minute } = await this.#plans.of(scope.tenant_id);
    const all = await this.#take(`all ${scope.tenant_id}`, requests_per_minute);
    if (rate !== 'search' || all?.retryAfterSeconds) return all;
    return (await this.#take(`search ${scope.tenant_id}`, searches_per_minute)) ?? all;
  }

  /** Counts a request with a link to a trace, from whichever network. */
  admitReader(linkId: string): Promise<RateLimitStatus | null> {
    return this.#take(`share link ${linkId}`, sharedReadsPerMinute.link);
  }

  /** Whether an e-mail of this kind may be sent. Not while they cannot be counted. */
  async admitMail(kind: 'invitations' | 'alert tests', tenantId: string, address: string): Promise<boolean> {
    const { tenant, address: ofAddress } = mailsPerHour;
    try {
      const byTenant = await this.#buckets.take(`${kind} by ${tenantId}`, tenant, hourMs);
      if (byTenant.retryAfterSeconds !== null) return false;
      const { retryAfterSeconds } = await this.#buckets.take(`${kind} to ${address}`, ofAddress, hourMs);
      return retryAfterSeconds === null;
    } catch (error) {
      if (!(error instanceof StorageError)) throw error;
      return false;
    }
  }

  async #take(bucket: string, perMinute: number | null): Promise<RateLimitStatus | null> {
    if (perMinute === null) return null;
    if (perMinute === 0) return nothingAllowed;
    try {
      return await this.#buckets.take(bucket, perMinute);
    } catch (error) {
      if (!(error instanceof StorageError)) throw error;
      return this.#buckets.lastKnown(bucket, perMinute);
    }
  }
}
