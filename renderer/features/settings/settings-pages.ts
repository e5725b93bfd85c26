import { useMay } from '../../api/identity.ts';
import { useServed } from '../../api/served.ts';

/**
 * The pages of the settings, of an app and of its team, with other words by which people look for them. A page exists where the gateway serves
 * what it needs, for those who may read it.
 */
export const appSettings = [
  { to: '/settings/keys', label: 'API keys', needs: 'api_keys', words: 'tokens credentials secrets access authentication sdk' },
  { to: '/settings/environments', label: 'Environments', needs: 'environments', words: 'staging production stages promote rollback' },
  {
    to: '/settings/retention',
    label: 'Retention',
    needs: 'retention',
    words: 'keep days delete old traces expiry ttl gdpr erasure storage',
  },
  {
    to: '/settings/share-links',
    label: 'Shared links',
    needs: 'share_links',
    words: 'public share link read-only guest revoke expiry',
  },
  {
    to: '/settings/scores',
    label: 'Scores',
    needs: 'score_config_changes',
    words: 'score configurations configs criteria categories range rating annotation labels rubric',
  },
  { to: '/settings/git', label: 'Git', needs: 'app_git', words: 'github gitlab repository branch sync integration' },
  { to: '/settings/worker', label: 'Eval worker', needs: 'experiment_runs', words: 'runner experiments handler' },
  {
    to: '/settings/destinations',
    label: 'Alert destinations',
    needs: 'alert_destinations',
    words: 'slack webhook notifications channels integrations',
  },
] as const;

export const teamSettings = [
  { to: '/settings/apps', label: 'Apps', needs: 'apps', words: 'projects create rename' },
  { to: '/settings/members', label: 'Members', needs: 'members', words: 'people users team invite invitations roles permissions' },
  {
    to: '/settings/audit-log',
    label: 'Audit log',
    needs: 'audit_log',
    may: 'audit_log.read',
    words: 'history activity security events sign-ins who changed what compliance',
  },
  { to: '/settings/usage', label: 'Usage', needs: 'usage', words: 'plan billing limits quota' },
  { to: '/settings/account', label: 'Your account', needs: 'auth', words: 'profile password user email login sessions devices sign out' },
] as const;

export type SettingsPage = (typeof appSettings)[number] | (typeof teamSettings)[number];

/** Whether the gateway serves a page, and the reader may open it. */
export function useIsOffered(): (page: SettingsPage) => boolean {
  const isServed = useServed();
  const may = useMay();
  return (page) => isServed(page.needs) && (!('may' in page) || may(page.may));
}
