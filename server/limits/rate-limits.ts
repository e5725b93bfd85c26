/** Rate limits: tenants by their plan, sign-in by network address. See docs/reference/http-api.md#rate-limits. */
import type { Route } from '../../shared/contract/core/route.ts';
import type { Actor } from '../control/actor.ts';
import type { Clock } from '../platform/clock.ts';
import type { Scope } from '../platform/scope.ts';
import { networkOf } from './network-of.ts';
import type { Plans } from './plans.ts';
import { type RateLimitStatus, TokenBuckets } from './token-buckets.ts';

const standardSignInsPerMinute = 20;
/** Enough for ten pending machines at the normal interval. Device codes cannot be guessed. */
const pollsPerMinute = 120;

export class RateLimits {
  readonly #plans: Plans;
  readonly #buckets: TokenBuckets;
  readonly #signInsPerMinute: number;

  /** @param signInsPerMinute attempts from one network */
  constructor(plans: Plans, clock: Clock, signInsPerMinute = standardSignInsPerMinute) {
    this.#plans = plans;
    this.#signInsPerMinute = signInsPerMinute;
    this.#buckets = new TokenBuckets(clock);
  }

  /** Counts a request. Null without a limit. */
  async admit({ scope, actor }: { scope: Scope; actor: Actor }, { permission, rate }: Route): Promise<RateLimitStatus | null> {
    if (rate === 'login') return this.#buckets.take(`login ${networkOf(actor.ip ?? '')}`, this.#signInsPerMinute);
    if (rate === 'poll') return this.#buckets.take(`poll ${networkOf(actor.ip ?? '')}`, pollsPerMinute);
    if (permission === 'public') return null;
    const { requests_per_minute, searches_per_minute } = await this.#plans.of(scope.tenant_id);
    const all = this.#take(`all ${scope.tenant_id}`, requests_per_minute);
    if (rate !== 'search' || all?.retryAfterSeconds) return all;
    return this.#take(`search ${scope.tenant_id}`, searches_per_minute) ?? all;
  }

  #take(bucket: string, perMinute: number | null): RateLimitStatus | null {
    return perMinute === null ? null : this.#buckets.take(bucket, perMinute);
  }
}
