/**
 * The suffix of a test file says what it needs. `*.gateway.test.ts` starts a gateway, a store or another process; `*.crash.test.ts` kills
 * them in the middle of their work; `*.fuzz.test.ts` sends random requests. All other tests are pure: they need nothing.
 */
export const tiers = ['pure', 'gateway', 'crash', 'fuzz'] as const;

export type Tier = (typeof tiers)[number];

export const tierOf = (file: string): Tier => tiers.find((tier) => file.includes(`.${tier}.test.`)) ?? 'pure';
