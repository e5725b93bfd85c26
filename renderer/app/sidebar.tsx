import { Link } from '@tanstack/react-router';
import clsx from 'clsx';
import { CircleHelp, Eye, Monitor, Moon, PanelLeftClose, PanelLeftOpen, Search, Sun, Unplug } from 'lucide-react';
import { type ReactNode, Suspense } from 'react';
import { useIdentity } from '../api/identity.ts';
import { lazyComponent } from '../api/lazy-component.tsx';
import type { Connection } from '../api/live.ts';
import { useUnread } from '../api/notices.ts';
import { usePalette } from '../ui/overlays/palette.ts';
import { IconButton } from '../ui/primitives/button.tsx';
import { Icon } from '../ui/primitives/icon.tsx';
import { KeyCap } from '../ui/primitives/key-cap.tsx';
import { keyLabel } from '../ui/primitives/key-label.ts';
import { Pill } from '../ui/primitives/pill.tsx';
import { preference, type Theme, usePreference } from '../ui/primitives/preferences.ts';
import { Text } from '../ui/primitives/text.tsx';
import { type Page, pageGroups, usePages } from './pages.ts';
import { type HintProps, SidebarHint, useSidebarHint } from './sidebar-hint.tsx';
import { iconOnlyDisplay, labelDisplay, sidebarItem } from './sidebar-style.ts';

const WhoMenu = lazyComponent(async () => (await import('./who-menu.tsx')).WhoMenu);

interface SidebarProps {
  connection: Connection;
  isFolded: boolean;
  onFold: () => void;
  onKeys: () => void;
}

/** Navigation, in groups. In a narrow window, or folded, it has icons only, and shows the name of an item beside it. */
export function Sidebar({ connection, isFolded, onFold, onKeys }: SidebarProps) {
  const pages = usePages();
  const palette = usePalette();
  const { shown, hint } = useSidebarHint();
  const unread = useUnread();
  const link = (page: Page) => (
    <PageLink key={page.to} page={page} unread={page.to === '/inbox' ? unread : 0} isFolded={isFolded} hint={hint} />
  );
  return (
    <nav
      aria-label="Pages"
      className={clsx('flex w-rail shrink-0 flex-col overflow-y-auto border-line border-r bg-panel p-2', !isFolded && 'sidebar:w-sidebar')}
    >
      <Place isFolded={isFolded} hint={hint} />
      <button
        type="button"
        {...hint('Search or run a command', keyLabel('Mod+k'))}
        onClick={palette.open}
        className={clsx(sidebarItem, 'mb-1')}
      >
        <Icon of={Search} />
        <span className="sr-only">Search or run…</span>
        <span aria-hidden="true" className={clsx('flex-1 items-center justify-between', labelDisplay(isFolded, 'flex'))}>
          Search or run… <KeyCap>{keyLabel('Mod+k')}</KeyCap>
        </span>
      </button>
      {pageGroups.map((group) => {
        const items = pages.filter((page) => 'group' in page && page.group === group);
        if (items.length === 0) return null;
        return (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset is for the fields of a form
          <div
            key={group}
            role="group"
            aria-label={group}
            className={clsx('mt-2 grid gap-hair border-line border-t pt-2', !isFolded && 'sidebar:mt-3 sidebar:border-t-0 sidebar:pt-0')}
          >
            <Text size="label" tone="dim" className={clsx('px-2 pb-1', labelDisplay(isFolded, 'block'))}>
              {group}
            </Text>
            {items.map(link)}
          </div>
        );
      })}
      <span className="min-h-2 flex-1" />
      {pages.filter((page) => !('group' in page)).map(link)}
      <ConnectionSign connection={connection} isFolded={isFolded} />
      <SharedSign isFolded={isFolded} hint={hint} />
      <div className={clsx('flex flex-col items-center', !isFolded && 'sidebar:flex-row')}>
        <ThemeButton />
        <IconButton label="Keys (?)" onClick={onKeys}>
          <Icon of={CircleHelp} />
        </IconButton>
        <span className={clsx('flex-1', labelDisplay(isFolded, 'block'))} />
        <span className="hidden sidebar:block">
          <IconButton label={isFolded ? 'Show labels ([)' : 'Hide labels ([)'} onClick={onFold}>
            <Icon of={isFolded ? PanelLeftOpen : PanelLeftClose} />
          </IconButton>
        </span>
      </div>
      {shown && <SidebarHint shown={shown} isFolded={isFolded} />}
    </nav>
  );
}

/** The current app and environment with the menu of others, or what a gateway without sign-in shows. */
function Place({ isFolded, hint }: { isFolded: boolean; hint: HintProps }) {
  const identity = useIdentity();
  if (identity.phase === 'signed-in' && identity.appId !== null)
    return (
      <Suspense fallback={<span className="mb-1 h-11 shrink-0" />}>
        <WhoMenu me={identity.me} appId={identity.appId} isFolded={isFolded} hint={hint} />
      </Suspense>
    );
  return (
    <div {...hint(`This machine, ${location.host}`, '')} className="mb-1 flex h-11 shrink-0 items-center gap-2 px-2">
      <Icon of={Monitor} />
      <span className={clsx('min-w-0', labelDisplay(isFolded, 'grid'))}>
        <Text strong cut>
          This machine
        </Text>
        <Text size="label" tone="dim" cut>
          {location.host}
        </Text>
      </span>
    </div>
  );
}

interface PageLinkProps {
  page: Page;
  unread: number;
  isFolded: boolean;
  hint: HintProps;
}

function PageLink({ page: { to, label, letter, icon }, unread, isFolded, hint }: PageLinkProps) {
  const shown = unread > 99 ? '99+' : String(unread);
  const name = unread > 0 ? `${label} ${shown} unread` : label;
  return (
    <Link
      to={to}
      activeOptions={{ includeSearch: false }}
      aria-label={name}
      {...hint(name, `g ${letter}`)}
      className={clsx(sidebarItem, 'data-[status=active]:bg-select data-[status=active]:text-accent')}
    >
      <span className="relative">
        <Icon of={icon} />
        {unread > 0 && (
          <span aria-hidden="true" className={clsx('-top-1 -right-1 absolute size-2 rounded-full bg-accent', iconOnlyDisplay(isFolded))} />
        )}
      </span>
      <span className={clsx('flex-1 truncate', labelDisplay(isFolded, 'block'))}>{label}</span>{' '}
      {unread > 0 && (
        <span aria-hidden="true" className={labelDisplay(isFolded, 'block')}>
          <Pill tone="accent">{shown}</Pill>
        </span>
      )}
    </Link>
  );
}

const connectionSigns = {
  live: { word: 'Receiving', text: 'Live: new spans appear automatically', tone: 'text-ok' },
  connecting: { word: 'Connecting…', text: 'Connecting to the gateway', tone: 'text-fg-3' },
  asleep: { word: 'Paused', text: 'Paused while this page is hidden', tone: 'text-fg-3' },
  waiting: { word: 'No answer', text: 'The gateway does not answer', tone: 'text-err' },
} as const;

function ConnectionSign({ connection: { phase }, isFolded }: { connection: Connection; isFolded: boolean }) {
  const { word, text, tone } = connectionSigns[phase];
  let sign: ReactNode = <span className="size-2 rounded-full bg-current" />;
  if (phase === 'waiting') sign = <Icon of={Unplug} />;
  return (
    <span role="img" aria-label={text} title={text} data-connection={phase} className="flex h-row shrink-0 items-center gap-2 px-2">
      <span className={clsx('grid size-4 place-items-center', tone)}>{sign}</span>
      <Text tone="quiet" cut className={labelDisplay(isFolded, 'block')}>
        {word}
      </Text>
    </span>
  );
}

/** Reminds that coding agents see this window; stops it. */
function SharedSign({ isFolded, hint }: { isFolded: boolean; hint: HintProps }) {
  const [isShared, share] = usePreference(preference.isWindowShared);
  if (!isShared) return null;
  const label = 'Coding agents see this window: stop sharing';
  return (
    <button type="button" aria-label={label} {...hint(label, '')} onClick={() => share(false)} className={sidebarItem}>
      <Icon of={Eye} />
      <span className={clsx('truncate', labelDisplay(isFolded, 'block'))}>Stop sharing</span>
    </button>
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
