/**
 * The whole API on one screen. A group is the largest set of routes with one availability;
 * the server mounts each group where everything its module needs is provided (house 3.3).
 */
import { ingest } from './ingest.ts';
import { media } from './media.ts';
import { platform } from './platform.ts';
import { pricing } from './pricing.ts';
import type { Route } from './route.ts';
import { runTraces } from './run-traces.ts';
import { scores } from './scores.ts';
import { sessions } from './sessions.ts';
import { spanById } from './span-by-id.ts';
import { spans } from './spans.ts';
import { traces } from './traces.ts';
import { viewer } from './viewer.ts';

export const contract = {
  platform,
  pricing,
  ingest,
  traces,
  runTraces,
  spans,
  spanById,
  sessions,
  scores,
  media,
  viewer,
} as const satisfies Record<string, Record<string, Route>>;

export type Contract = typeof contract;
