/** The thresholds of a service: those that were set for it, and the defaults. */
import { type RunawayRule, runawayRules, runawayThresholds } from '../../../shared/contract/tracing/runaway-rules.ts';
import type { RunawayThreshold } from '../../../shared/contract/tracing/runaways.ts';
import type { Thresholds } from './run-watch.ts';
import type { Sign } from './step.ts';

export const defaultThresholds: Thresholds = Object.fromEntries(
  runawayRules.map((rule) => [rule, runawayThresholds[rule].default]),
) as Record<RunawayRule, number>;

/** By service; one that is missing has the defaults. */
export type AppThresholds = ReadonlyMap<string, Thresholds>;

/** @param set the thresholds of an app that are not the default */
export function thresholdsByService(set: Iterable<RunawayThreshold>): AppThresholds {
  const ofApp = new Map<string, Thresholds>();
  for (const { service, rule, threshold } of set) ofApp.set(service, { ...(ofApp.get(service) ?? defaultThresholds), [rule]: threshold });
  return ofApp;
}

/** Those whose rules are on. A rule may have been turned off after it found something. */
export const signsThatCount = (signs: readonly Sign[], thresholds: Thresholds): Sign[] =>
  signs.filter(({ rule }) => thresholds[rule] !== null);
