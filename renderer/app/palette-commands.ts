/** Commands of the palette: pages, settings, and switches of environment, app and theme. */
import { useNavigate } from '@tanstack/react-router';
import { useEnvironmentNames } from '../api/environment-names.ts';
import { useAppId, useMe } from '../api/identity.ts';
import { useServed } from '../api/served.ts';
import { enterApp, signOut } from '../api/sign-in.ts';
import { appSettings, teamSettings, useIsOffered } from '../features/settings/settings-pages.ts';
import { compareGroupsLabel } from '../model/trace/group-words.ts';
import type { Command } from '../ui/overlays/command-palette.tsx';
import { preference, type Theme, usePreference, writePreference } from '../ui/primitives/preferences.ts';
import { usePages } from './pages.ts';
import { hashInOtherApp, switchEnvironment, useEnvironment } from './place.ts';

/** Pages and parts of pages that have no item of their own in the sidebar. */
const parts = [
  { to: '/traces', search: { show: 'spans' }, label: 'Spans', words: 'steps calls tools list' },
  { to: '/traces', search: { show: 'errors' }, label: 'Error groups', words: 'failures exceptions issues' },
  { to: '/compare', search: { a_filter: 'errors > 0' }, label: compareGroupsLabel, words: 'groups difference why root cause' },
] as const;
const otherSettings = [
  { to: '/storage', label: 'Retention', words: 'keep days delete old remove size limit', needs: 'viewer_storage' },
  { to: '/forwarding/redaction', label: 'Redaction', words: 'privacy mask hide personal data pii secrets rules', needs: 'redaction' },
  { to: '/link', label: 'Link a machine', words: 'device code laptop connect', needs: 'device_sign_in' },
] as const;

export function usePageCommands(): Command[] {
  const navigate = useNavigate();
  const pages = usePages();
  const isServed = useServed();
  const [isShared, share] = usePreference(preference.isWindowShared);
  const isOffered = useIsOffered();
  const settings = [...appSettings, ...teamSettings].filter((page) => isServed('auth') && isOffered(page));
  return [
    ...pages.map(({ to, label, letter, words }) => ({
      ...{ id: `page.${to}`, group: 'Pages', label, words, hint: `g ${letter}` },
      run: () => void navigate({ to }),
    })),
    ...parts.map(({ to, search, label, words }) => ({
      id: `page.${label}`,
      group: 'Pages',
      label,
      words,
      run: () => void navigate({ to, search }),
    })),
    ...[...settings, ...otherSettings.filter(({ needs }) => isServed(needs))].map(({ to, label, words }) => ({
      ...{ id: `page.${label}`, group: 'Settings', label, words },
      run: () => void navigate({ to }),
    })),
    ...(isServed('viewer_windows')
      ? [
          {
            ...{ id: 'share-window', group: 'Settings', words: 'mcp coding agent assistant look here point consent' },
            label: isShared ? 'Stop sharing this window with coding agents' : 'Share this window with coding agents',
            run: () => share(!isShared),
          },
        ]
      : []),
    ...themes.map(({ id, label }) => ({
      ...{ id: `theme.${id}`, group: 'Settings', label, words: 'appearance mode colour color' },
      run: () => writePreference(preference.theme, id),
    })),
  ];
}

const themes: readonly { id: Theme; label: string }[] = [
  { id: 'light', label: 'Theme: light' },
  { id: 'dark', label: 'Theme: dark' },
  { id: 'system', label: 'Theme: as the system' },
];

/** Switches to another environment or app of the signed-in user, and the sign-out. */
export function usePlaceCommands(): Command[] {
  const me = useMe();
  const appId = useAppId();
  const chosen = useEnvironment();
  const names = useEnvironmentNames();
  if (me === null) return [];
  const environments = [undefined, ...(names ?? []).map(({ name }) => name)].filter((name) => name !== chosen);
  return [
    ...environments.map((name) => ({
      ...{ id: `environment.${name}`, group: 'Switch environment', label: name ?? 'All environments' },
      run: () => switchEnvironment(name),
    })),
    ...me.apps
      .filter(({ id }) => id !== appId)
      .map(({ id, name, display_name }) => ({
        ...{ id: `app.${id}`, group: 'Switch app', label: display_name || name, words: 'project' },
        run: () => enterApp(id, hashInOtherApp()),
      })),
    { id: 'sign-out', group: 'Account', label: 'Sign out', words: 'log out logout', run: () => void signOut() },
  ];
}
