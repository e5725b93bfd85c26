import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useAppId, useMe } from '../../api/identity.ts';
import { Text } from '../../ui/primitives/text.tsx';
import { appSettings, type SettingsPage, teamSettings, useIsOffered } from './settings-pages.ts';

/** Frame of the settings of an app and its team, with navigation. */
export function SettingsFrame({ children }: { children: ReactNode }) {
  const me = useMe();
  const appId = useAppId();
  const app = me?.apps.find(({ id }) => id === appId);
  return (
    <div className="flex min-h-0 flex-1 flex-col facets:flex-row">
      <nav
        aria-label="Settings"
        className="flex shrink-0 gap-1 overflow-x-auto border-line border-b px-2 py-1 facets:w-side facets:flex-col facets:gap-4 facets:overflow-y-auto facets:border-r facets:border-b-0 facets:p-2"
      >
        <Group title={app?.display_name || app?.name || 'App'} pages={appSettings} />
        <Group title={me?.tenant.name ?? 'Team'} pages={teamSettings} />
      </nav>
      <div className="flex min-h-0 min-w-0 flex-1 flex-col">{children}</div>
    </div>
  );
}

function Group({ title, pages }: { title: string; pages: readonly SettingsPage[] }) {
  const isOffered = useIsOffered();
  return (
    <div className="flex shrink-0 gap-1 facets:grid facets:gap-hair">
      <Text size="label" tone="dim" cut className="px-2 py-1 max-facets:hidden" title={title}>
        {title}
      </Text>
      {pages.map(
        (page) =>
          isOffered(page) && (
            <Link
              key={page.to}
              to={page.to}
              className="flex h-row shrink-0 items-center rounded-control px-2 text-fg-2 text-row hover:bg-hover hover:text-fg data-[status=active]:bg-select data-[status=active]:text-fg"
            >
              {page.label}
            </Link>
          ),
      )}
    </div>
  );
}
