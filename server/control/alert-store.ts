import type { z } from 'zod';
import type { alertDraft } from '../../shared/contract/operations/alert-draft.ts';
import type { alert, alertHistory } from '../../shared/contract/operations/alerts.ts';
import type { Page, PageQuery } from '../platform/page.ts';
import type { Scope } from '../platform/scope.ts';
import type { Actor } from './actor.ts';
import type { Notice } from './alert-watch.ts';

export type Alert = z.output<typeof alert>;
export type AlertDraft = z.output<typeof alertDraft>;
type AlertHistory = z.output<typeof alertHistory>;

interface AlertQuery extends PageQuery {
  status?: Alert['status'] | undefined;
  metric?: Alert['metric'] | undefined;
  environment_id?: string | undefined;
  owner_id?: string | undefined;
}

/** The alerts of an app. */
export interface AlertStore {
  /**
   * Starts as resolved.
   * @throws Duplicate when the app has an alert of that name
   */
  create(by: Actor, scope: Scope, draft: AlertDraft): Promise<Alert>;
  find(scope: Scope, id: string): Promise<Alert | null>;
  /** Newest first. */
  list(scope: Scope, query: AlertQuery): Promise<Page<Alert>>;
  /**
   * Replaces everything except the status, which is the result of the last evaluation.
   * @throws Duplicate when another alert of the app has the new name
   */
  replace(by: Actor, scope: Scope, id: string, draft: AlertDraft): Promise<Alert | null>;
  /**
   * @param until when the mute ends: a time, or when a triggered alert resolves; null to end it now
   * @returns `resolved` for an alert that cannot be muted until it resolves, because it is
   */
  mute(by: Actor, scope: Scope, id: string, until: Alert['muted_until']): Promise<Alert | 'resolved' | null>;
  /**
   * The first acknowledgement stays until the alert resolves.
   * @param notices sent if it is the first, and the trigger was notified
   * @returns `resolved` for an alert that is not triggered
   */
  acknowledge(by: Actor, scope: Scope, id: string, notices?: readonly Notice[]): Promise<Alert | 'resolved' | null>;
  /** With its history and its pending notifications. False for an unknown alert. */
  remove(by: Actor, scope: Scope, id: string): Promise<boolean>;
  /** Newest first. */
  history(scope: Scope, alertId: string, query: PageQuery): Promise<Page<AlertHistory>>;
}
