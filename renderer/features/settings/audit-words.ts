/** Plain words for the entries of the audit log. */
import type { AuditChange, AuditEntry } from '../../../shared/contract/identity/audit-log.ts';

/** Resources of actions, for the filter; `refused` is an action of its own. */
export const auditResources = [
  { id: '', label: 'All actions' },
  { id: 'session', label: 'Sign-ins' },
  { id: 'user', label: 'Passwords and identities' },
  { id: 'member', label: 'Members' },
  { id: 'invitation', label: 'Invitations' },
  { id: 'api_key', label: 'API keys' },
  { id: 'device_sign_in', label: 'Linked machines' },
  { id: 'app', label: 'Apps' },
  { id: 'environment', label: 'Environments' },
  { id: 'deployment', label: 'Deployments' },
  { id: 'git', label: 'Git' },
  { id: 'alert', label: 'Alerts' },
  { id: 'alert_webhook', label: 'Alert webhooks' },
  { id: 'alert_channel', label: 'Alert channels' },
  { id: 'alert_slack', label: 'Slack' },
  { id: 'retention', label: 'Retention' },
  { id: 'share_link', label: 'Links to traces' },
  { id: 'trace', label: 'Deleted traces' },
  { id: 'annotation_queue', label: 'Annotation queues' },
  { id: 'annotation_item', label: 'Reviews' },
  { id: 'queue_rule', label: 'Rules of queues' },
  { id: 'score_config', label: 'Score configurations' },
  { id: 'dataset', label: 'Datasets' },
  { id: 'experiment_run', label: 'Experiments' },
  { id: 'eval_run', label: 'Eval runs' },
  { id: 'escalation', label: 'Escalations' },
  { id: 'worker_run', label: 'Tasks of coding agents' },
  { id: 'worker_environment', label: 'Workspaces' },
  { id: 'agent_session', label: 'Sessions of coding agents' },
  { id: 'comment', label: 'Comments' },
  { id: 'tenant', label: 'Team and plan' },
  { id: 'refused', label: 'Refused' },
] as const;

const words: Record<string, string> = {
  refused: 'Was refused',
  'session.start': 'Signed in',
  'session.end': 'Signed out',
  'session.refuse': 'Wrong password',
  'user.create': 'Created an account',
  'user.password': 'Changed the password',
  'user.request_reset': 'Asked to reset the password',
  'user.withdraw_reset': 'A link to reset the password could not be sent',
  'user.reset_password': 'Reset the password',
  'user.link': 'Linked an identity',
  'tenant.create': 'Created the team',
  'tenant.plan': 'Changed the plan',
  'member.set': 'Set the role',
  'member.join': 'Joined the team',
  'member.remove': 'Removed a member',
  'member.sign_out': 'Signed out a member',
  'invitation.create': 'Invited a person',
  'invitation.remove': 'Withdrew an invitation',
  'api_key.revoke': 'Revoked an API key',
  'device_sign_in.approve': 'Linked a machine',
  'device_sign_in.deny': 'Refused to link a machine',
  'environment.pin': 'Deployed a version',
  'environment.settle': 'Finished creating an environment',
  'git.connect': 'Connected a git provider',
  'git.link': 'Linked a repository',
  'git.deploy': 'Deployed the branch',
  'git.unlink': 'Unlinked the repository',
  'deployment.sync': 'Stored the files of a deployment',
  'deployment.finish': 'Finished a deployment',
  'deployment.fail': 'A deployment failed',
  'environment.promote': 'Promoted a version',
  'environment.rollback': 'Rolled back to a version',
  'queue_rule.create': 'Created a rule of a queue',
  'queue_rule.update': 'Changed a rule of a queue',
  'queue_rule.delete': 'Deleted a rule of a queue',
  'score_config.create': 'Created a score configuration',
  'score_config.update': 'Changed a score configuration',
  'alert.mute': 'Muted an alert',
  'alert.unmute': 'Unmuted an alert',
  'alert.acknowledge': 'Acknowledged an alert',
  'alert.trigger': 'Alert triggered',
  'alert.resolve': 'Alert resolved',
  'alert.notify': 'Sent a late notification of an alert',
  'alert_webhook.put': 'Set the alert webhook',
  'alert_slack.put': 'Set the Slack channel',
  'annotation_queue.add': 'Added items to a queue',
  'annotation_queue.assign': 'Assigned items of a queue',
  'annotation_item.review': 'Reviewed an item',
  'share_link.create': 'Made a link to a trace',
  'share_link.revoke': 'Revoked a link to a trace',
  'share_link.allow': 'Allowed or forbade links to traces',
  'retention.update': 'Changed how long traces are kept',
  'trace.delete': 'Deleted traces',
  'dataset.append': 'Added dataset rows',
  'experiment_run.create': 'Started an experiment',
  'experiment_run.succeeded': 'Experiment succeeded',
  'experiment_run.failed': 'Experiment failed',
  'experiment_run.cancelled': 'Experiment cancelled',
  'experiment_run.timed_out': 'Experiment timed out',
  'escalation.create': 'Escalated a run',
  'eval_run.add_trials': 'Added trials',
  'eval_run.running': 'Eval run started',
  'eval_run.succeeded': 'Eval run succeeded',
  'eval_run.failed': 'Eval run failed',
  'agent_session.record': 'Recorded a session',
  'worker_environment.create': 'Created a workspace',
  'worker_environment.close': 'Closed a workspace',
  'worker_turn.create': 'Added a task',
  'worker_run.create': 'Added a task',
  'worker_run.cancel': 'Cancelled a task',
  'worker_run.finish': 'Finished a task',
};

const verbs: Record<string, string> = { create: 'Created', update: 'Changed', delete: 'Deleted', remove: 'Removed', start: 'Started' };

/** Actions without words of their own are worded from their parts: `alert.create` is `Created an alert`. */
export function actionInWords(action: string): string {
  const [resource = '', verb = ''] = action.replaceAll('_', ' ').split('.');
  const named = resource.replace('api', 'API');
  return words[action] ?? (verbs[verb] ? `${verbs[verb]} ${/^[aeiou]/i.test(named) ? 'an' : 'a'} ${named}` : `${resource}: ${verb}`);
}

export const actorInWords = ({ actor_kind, actor_id, actor_name }: AuditEntry): string =>
  actor_name ?? (actor_kind === 'system' ? `Glasshouse (${actor_id})` : actor_id);

/** The name that it had, if it no longer exists. A sign-in has none. */
export function targetInWords({ action, target, target_name, changes }: AuditEntry): string {
  if (action === 'session.start' || action === 'session.end') return '—';
  const { before, after = before } = changes?.find(({ field }) => field === 'name') ?? {};
  return target_name ?? (typeof after === 'string' ? after : target);
}

const valueInWords = (value: AuditChange['after']): string => (value === null || value === '' ? 'none' : String(value));

/** `role: read → write, threshold: 5` */
export const changesInWords = (changes: readonly AuditChange[] | null): string =>
  (changes ?? [])
    .map(({ field, before, after }) => {
      const name = field.replace(/^sealed_/, '').replaceAll('_', ' ');
      if (before === undefined && after === undefined) return `${name} changed`;
      if (before === undefined) return `${name}: ${valueInWords(after)}`;
      return after === undefined ? `${name} was ${valueInWords(before)}` : `${name}: ${valueInWords(before)} → ${valueInWords(after)}`;
    })
    .join(', ');
