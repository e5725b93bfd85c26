import type { AlertDelivery, DeliveryState } from '../../shared/contract/operations/alert-delivery.ts';
import type { Page, PageQuery } from '../platform/page.ts';
import type { Scope } from '../platform/scope.ts';
import type { Alert } from './alert-store.ts';
import type { Claim } from './lease-store.ts';

/** Change of an alert's status. */
export interface Transition {
  status: Alert['status'];
  /** Decimal text. */
  triggered_value: string;
  /** It triggered and nobody is notified, because it is muted. */
  is_silenced: boolean;
  notices: Notice[];
}

/** Message about such a change. */
export interface Notice extends Receiver {
  payload: string;
}

/** Who is told. */
export interface Receiver {
  destination: AlertDelivery['destination'];
  /** The environment whose webhook it is sent to; else null. */
  environment_id: string | null;
  /** The channel, or for `owner` the member of the team; nothing for the webhook of an environment and the Slack channel of the app. */
  target_id?: string | null;
}

/** So many notices of a group are listed; of the others there is the number. */
export const noticesInMessage = 10;

/** Notices to one receiver that are sent as one and have not arrived yet. */
export interface PendingDelivery extends Receiver {
  /** The same with each attempt. */
  id: string;
  scope: Scope;
  /** Of the first, those about triggered alerts before those about resolved ones. */
  payloads: string[];
  /** Numbers of all. */
  triggered: number;
  resolved: number;
  /** Number of attempts so far. */
  attempts: number;
}

/** Result of a delivery attempt. */
export interface Attempt {
  state: DeliveryState;
  answer: string | null;
  /** When to try again; only while waiting. Milliseconds since the epoch. */
  next_ms: number | null;
}

/** Store of the alert evaluator. Works across all tenants: arguments carry their scope. */
export interface AlertWatch {
  /** Alerts of all apps in the order of their ids, after one of them. */
  next(afterId: string | null, limit: number): Promise<Alert[]>;
  /**
   * Writes the new status, its history entry and its notices in one transaction. An alert that resolved is neither acknowledged nor muted
   * until it resolves. False, and nothing written, when the lease is lost, or when the alert was changed, muted or deleted since it was read.
   */
  change(claim: Claim, alert: Alert, transition: Transition): Promise<boolean>;
  /**
   * Sends notices of an alert that triggered while it was muted, and still is triggered; those of an acknowledgement after the others. Under
   * the same conditions, and that it was not acknowledged since it was read.
   */
  notifyLate(claim: Claim, alert: Alert, notices: readonly Notice[], ofAcknowledgement?: readonly Notice[]): Promise<boolean>;
  /** To whom notices went when the alert triggered last, or after that. */
  told(alert: Scope & { id: string }): Promise<Receiver[]>;

  /**
   * Decides which due notices are sent as one: more than three to one receiver, unless it groups them itself. Later notices of an alert to a
   * receiver wait until the earlier ones have arrived or are given up.
   */
  gather(claim: Claim): Promise<void>;
  /**
   * Gathered deliveries that are due, at most ten to each receiver: the first of every tenant, then the second of every tenant and so on, of
   * each the longest overdue first. They stay due until `recordAttempt` reschedules them, also across a restart.
   */
  due(limit: number): Promise<PendingDelivery[]>;
  /** Counts an attempt and stores its result, unless the lease is lost. */
  recordAttempt(claim: Claim, id: string, attempt: Attempt): Promise<void>;
  /** Newest first. */
  deliveries(scope: Scope, alertId: string, query: PageQuery): Promise<Page<AlertDelivery>>;
}
