import { Link } from '@tanstack/react-router';
import { CircleHelp, Monitor, Moon, Sun, Unplug } from 'lucide-react';
import { Suspense } from 'react';
import { useIdentity } from '../api/identity.ts';
import { lazyComponent } from '../api/lazy-component.tsx';
import type { Connection } from '../api/live.ts';
import { IconButton } from '../ui/primitives/button.tsx';
import { Icon } from '../ui/primitives/icon.tsx';
import { preference, type Theme, usePreference } from '../ui/primitives/preferences.ts';
import { type Page, usePages } from './pages.ts';

const isFoot = (page: Page) => 'isFoot' in page;

const WhoMenu = lazyComponent(async () => (await import('./who-menu.tsx')).WhoMenu);

export function Rail({ connection, onKeys }: { connection: Connection; onKeys: () => void }) {
  const pages = usePages();
  const identity = useIdentity();
  return (
    <nav aria-label="Pages" className="flex w-rail shrink-0 flex-col items-center gap-1 overflow-y-auto border-line border-r bg-panel py-2">
      {identity.phase === 'signed-in' && identity.appId !== null && (
        <Suspense fallback={<span className="mb-1 size-8 shrink-0" />}>
          <WhoMenu me={identity.me} appId={identity.appId} />
        </Suspense>
      )}
      {pages.map((page) => !isFoot(page) && <PageLink key={page.to} page={page} />)}
      <span className="flex-1" />
      {pages.map((page) => isFoot(page) && <PageLink key={page.to} page={page} />)}
      <ConnectionSign connection={connection} />
      <ThemeButton />
      <IconButton label="Keys (?)" onClick={onKeys}>
        <Icon of={CircleHelp} />
      </IconButton>
    </nav>
  );
}

const PageLink = ({ page: { to, label, letter, icon } }: { page: Page }) => (
  <Link
    to={to}
    aria-label={label}
    title={`${label} (g ${letter})`}
    className="grid size-8 shrink-0 place-items-center rounded-card text-fg-3 hover:bg-hover hover:text-fg data-[status=active]:bg-select data-[status=active]:text-accent"
  >
    <Icon of={icon} />
  </Link>
);

const connectionSigns = {
  live: { text: 'Live: new spans appear automatically', tone: 'text-ok' },
  connecting: { text: 'Connecting to the gateway', tone: 'text-fg-3' },
  asleep: { text: 'Paused while this page is hidden', tone: 'text-fg-3' },
  waiting: { text: 'The gateway does not answer', tone: 'text-err' },
} as const;

function ConnectionSign({ connection: { phase } }: { connection: Connection }) {
  const { text, tone } = connectionSigns[phase];
  return (
    <span role="img" aria-label={text} title={text} data-connection={phase} className={`grid size-control place-items-center ${tone}`}>
      {phase === 'waiting' ? <Icon of={Unplug} /> : <span className="size-2 rounded-full bg-current" />}
    </span>
  );
}

const themes: Record<Theme, { next: Theme; label: string; icon: typeof Sun }> = {
  system: { next: 'light', label: 'Theme: system. Switch to light', icon: Monitor },
  light: { next: 'dark', label: 'Theme: light. Switch to dark', icon: Sun },
  dark: { next: 'system', label: 'Theme: dark. Switch to system', icon: Moon },
};

function ThemeButton() {
  const [theme, setTheme] = usePreference(preference.theme);
  const { next, label, icon } = themes[theme];
  return (
    <IconButton label={label} onClick={() => setTheme(next)}>
      <Icon of={icon} />
    </IconButton>
  );
}
