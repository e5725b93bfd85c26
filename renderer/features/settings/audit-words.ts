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
  { id: 'alert_slack', label: 'Slack' },
  { id: 'trace', label: 'Deleted traces' },
  { id: 'annotation_queue', label: 'Annotation queues' },
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
  'user.link': 'Linked an identity',
  'tenant.create': 'Created the team',
  'tenant.plan': 'Changed the plan',
  'member.set': 'Set the role',
  'member.join': 'Joined the team',
  'member.remove': 'Removed a member',
  'invitation.create': 'Invited a person',
  'invitation.remove': 'Withdrew an invitation',
  'api_key.revoke': 'Revoked an API key',
  'device_sign_in.approve': 'Linked a machine',
  'device_sign_in.deny': 'Refused to link a machine',
  'environment.pin': 'Deployed a version',
  'environment.settle': 'Finished creating an environment',
  'git.connect': 'Connected a git provider',
  'git.link': 'Linked a repository',
  'git.unlink': 'Unlinked the repository',
  'alert_webhook.put': 'Set the alert webhook',
  'alert_slack.put': 'Set the Slack channel',
  'annotation_queue.add': 'Added items to a queue',
  'trace.delete': 'Deleted traces',
};

const verbs: Record<string, string> = { create: 'Created', update: 'Changed', delete: 'Deleted', remove: 'Removed', start: 'Started' };

/** Actions without words of their own are worded from their parts: `alert.create` is `Created alert`. */
export function actionInWords(action: string): string {
  const [resource = '', verb = ''] = action.replaceAll('_', ' ').split('.');
  return words[action] ?? (verbs[verb] ? `${verbs[verb]} ${resource}` : `${resource}: ${verb}`);
}

export const actorInWords = ({ actor_kind, actor_id, actor_name }: Omit<AuditEntry, 'id'>): string =>
  actor_name ?? (actor_kind === 'system' ? `Glasshouse (${actor_id})` : actor_id);

export const targetInWords = ({ target, target_name }: Omit<AuditEntry, 'id'>): string => target_name ?? target;

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
