import type { AlertDelivery, DeliveryState } from '../../shared/contract/alert-delivery.ts';
import type { Page, PageQuery } from '../platform/page.ts';
import type { Scope } from '../platform/scope.ts';
import type { Alert } from './alert-store.ts';

/** That an alert was found to be in another state than it was. */
export interface Transition {
  status: Alert['status'];
  /** Decimal text. */
  triggered_value: string;
  notices: Notice[];
}

/** What is to be sent about it. */
export interface Notice {
  destination: 'webhook' | 'slack';
  /** Whose webhook; null for Slack. */
  environment_id: string | null;
  payload: string;
}

/** A notice that has not arrived yet. */
export interface PendingDelivery extends Notice {
  /** The same with each attempt. */
  id: string;
  scope: Scope;
  /** Made so far. */
  attempts: number;
}

/** What became of an attempt. */
export interface Attempt {
  state: DeliveryState;
  answer: string | null;
  /** When to try again; only while waiting. Milliseconds since the epoch. */
  next_ms: number | null;
}

/** What the one who watches alerts needs of the store. It works for all tenants: what it is given says whose it is. */
export interface AlertWatch {
  /**
   * Takes the lease, or holds it for longer. False while another has it.
   * @param holder who asks, by a name that nobody else has
   */
  takeLease(holder: string, forMs: number): Promise<boolean>;
  /** Lets the next one have it at once. */
  leaveLease(holder: string): Promise<void>;

  /** Alerts of all apps in the order of their ids, after one of them. */
  next(afterId: string | null, limit: number): Promise<Alert[]>;
  /**
   * Writes the new status, its line of history and its notices, all or nothing. False, and nothing written, when the holder has lost the
   * lease, or when the alert was changed or deleted since it was read.
   */
  change(holder: string, alert: Alert, transition: Transition): Promise<boolean>;

  /** Those whose time has come, the longest overdue first. They stay due until `note` says otherwise, also over a restart. */
  due(limit: number): Promise<PendingDelivery[]>;
  /** Counts an attempt. */
  note(id: string, attempt: Attempt): Promise<void>;
  /** Newest first. */
  deliveries(scope: Scope, alertId: string, query: PageQuery): Promise<Page<AlertDelivery>>;
}
