/** The pages of the settings, of an app and of its team. A page exists where the gateway serves what it needs. */
export const appSettings = [
  { to: '/settings/keys', label: 'API keys', needs: 'api_keys' },
  { to: '/settings/environments', label: 'Environments', needs: 'environments' },
  { to: '/settings/git', label: 'Git', needs: 'app_git' },
  { to: '/settings/worker', label: 'Eval worker', needs: 'experiment_runs' },
  { to: '/settings/destinations', label: 'Alert destinations', needs: 'alert_destinations' },
] as const;

export const teamSettings = [
  { to: '/settings/apps', label: 'Apps', needs: 'apps' },
  { to: '/settings/members', label: 'Members', needs: 'members' },
  { to: '/settings/usage', label: 'Usage', needs: 'usage' },
  { to: '/settings/account', label: 'Your account', needs: 'auth' },
] as const;
