/** What the audit log says about a change. It is kept for good and read by more people than the records, so values are shown by permission only. */

type Shown = string | number | boolean | null;

/** A changed property. Without values: it has changed, and the log does not say from what to what. */
export interface AuditChange {
  field: string;
  before?: Shown;
  after?: Shown;
}

const shownCharsMax = 200;

/**
 * Properties whose values may be shown, by the resource of the action. Never secrets and what they are derived from, addresses that grant
 * access, such as those of webhooks, texts that people wrote, or what identifies a person.
 */
const shownFields: Record<string, readonly string[]> = {
  tenant: ['name', 'plan'],
  member: ['role'],
  invitation: ['role', 'expires_at'],
  app: ['name', 'display_name', 'runtime', 'entry_point'],
  api_key: ['name', 'key_prefix', 'permissions', 'environment_id', 'environment_kinds', 'expires_at', 'revoked_at'],
  device_sign_in: ['machine_name', 'environment_id', 'status'],
  environment: ['name', 'kind', 'is_default', 'source_pr_number', 'env_version', 'commit_sha', 'hosting_app_name'],
  deployment: ['deployment_type', 'branch', 'commit_sha', 'env_version', 'deployment_status', 'files_status', 'code_status'],
  git: ['provider', 'repository', 'branch'],
  alert: ['name', 'metric', 'threshold', 'time_window', 'status', 'environment_id', 'use_webhook', 'use_slack', 'channel_ids'],
  alert_channel: ['name', 'kind'],
  alert_slack: ['channel_id'],
  annotation_queue: [
    'name',
    'score_config_names',
    'reviewers_required',
    'reviewer_ids',
    'shares_evenly',
    'added',
    'assigned',
    'assigned_to',
  ],
  queue_rule: ['filter', 'sample_percent', 'max_per_day', 'paused'],
  annotation_item: ['status', 'assigned_to'],
  score_config: ['name', 'data_type', 'min', 'max', 'categories', 'archived'],
  dataset: ['rows'],
  retention: ['keep_days', 'environments'],
  share_link: ['trace_id', 'hides', 'expires_at', 'revoked_at', 'are_allowed'],
  trace: ['traces', 'spans'],
  eval_run: ['name', 'status'],
  experiment_run: ['name', 'dataset', 'status'],
  worker_environment: ['name', 'repo', 'closed_at'],
  worker_run: ['repo', 'status', 'cancel_requested_at'],
};

/** Part of every record, or of the entry itself. */
const bookkeeping = new Set(['id', 'tenant_id', 'app_id', 'created_at', 'created_by', 'updated_at', 'updated_by']);

/**
 * Null when there is nothing to say. Of a created or removed record, only what may be shown; of a changed one also the names of other
 * properties that changed.
 */
export function changesOf(action: string, before: unknown, after: unknown): AuditChange[] | null {
  const [from, to] = [asRecord(before), asRecord(after)];
  const shown = new Set(shownFields[action.split('.', 1)[0] as string]);
  const fields = Object.keys({ ...from, ...to }).filter((field) => !bookkeeping.has(field));
  const changes = fields.flatMap((field): AuditChange[] => {
    const [old, now] = [from?.[field] ?? null, to?.[field] ?? null];
    if (JSON.stringify(old) === JSON.stringify(now)) return [];
    // What only one of both has is not a property of the record, but of the answer to the change.
    if (!shown.has(field)) return from && to && field in from && field in to ? [{ field }] : [];
    return [{ field, ...(from && { before: shownValue(old) }), ...(to && { after: shownValue(now) }) }];
  });
  return changes.length === 0 ? null : changes;
}

const asRecord = (value: unknown): Record<string, unknown> | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : null;

function shownValue(value: unknown): Shown {
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return value;
  const text = typeof value === 'string' ? value : Array.isArray(value) ? value.join(', ') : JSON.stringify(value);
  if (text.length <= shownCharsMax) return text;
  // Half of a surrogate pair is no text.
  return `${text.slice(0, shownCharsMax - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
