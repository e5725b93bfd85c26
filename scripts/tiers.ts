/**
 * What a test needs says the end of its file's name. `*.gateway.test.ts` has a gateway, a store or another process; `*.crash.test.ts`
 * kills them in the middle of their work; `*.fuzz.test.ts` asks what nobody would. All other tests are pure: they need nothing.
 */
export const tiers = ['pure', 'gateway', 'crash', 'fuzz'] as const;

export type Tier = (typeof tiers)[number];

export const tierOf = (file: string): Tier => tiers.find((tier) => file.includes(`.${tier}.test.`)) ?? 'pure';
