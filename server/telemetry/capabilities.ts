/**
 * What a store may do beyond what every store promises. A store that declares none of them is one that does the least.
 * `reports_conflicts`: a write tells which of its spans conflict with others, instead of only keeping the first.
 * `shares_texts`: a long text that repeats takes its space once.
 * `watches_runs`: finds runaways (runaway-store.ts); other stores have none.
 */
export const telemetryCapabilities = ['reports_conflicts', 'shares_texts', 'watches_runs'] as const;
export type TelemetryCapability = (typeof telemetryCapabilities)[number];
