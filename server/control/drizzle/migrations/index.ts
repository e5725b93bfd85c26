import { identity } from './001-identity.ts';
import { deployments } from './002-deployments.ts';
import { reviews } from './003-reviews.ts';
import { alerts } from './004-alerts.ts';
import { joining } from './005-joining.ts';
import { repositories } from './006-repositories.ts';
import { workers } from './009-workers.ts';

/** In order; a migration's number is its place, from 1. Forward only: a shipped one is never edited. */
export const migrations: readonly string[] = [identity, deployments, reviews, alerts, joining, repositories, workers];
