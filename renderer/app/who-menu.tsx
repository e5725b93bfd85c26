import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import clsx from 'clsx';
import { ChevronsUpDown, LogOut, UserRound } from 'lucide-react';
import { useState } from 'react';
import { asFailure } from '../api/failure.ts';
import type { Me } from '../api/identity.ts';
import { useServed } from '../api/served.ts';
import { enterApp, enterTenant, signOut } from '../api/sign-in.ts';
import { Popup } from '../ui/overlays/popup.tsx';
import { Icon } from '../ui/primitives/icon.tsx';
import { Text } from '../ui/primitives/text.tsx';
import { EnvironmentChoices } from './environment-choices.tsx';
import { Choice, Group, itemStyle } from './menu-choices.tsx';
import { hashInOtherApp, useEnvironment } from './place.ts';
import type { HintProps } from './sidebar-hint.tsx';
import { iconOnlyDisplay, labelDisplay } from './sidebar-style.ts';

interface WhoMenuProps {
  me: Me;
  appId: string;
  /** Whether the sidebar shows only icons. */
  isFolded: boolean;
  hint: HintProps;
}

/** Initials of an app: of its first two words, or its first two letters. */
function initialsOf(name: string): string {
  const [first = '', second = ''] = name.split(/[\s_.-]+/).filter(Boolean);
  return (second ? first.slice(0, 1) + second.slice(0, 1) : first.slice(0, 2)).toUpperCase();
}

/** Menu of the current app and user, with the others. */
export function WhoMenu({ me, appId, isFolded, hint }: WhoMenuProps) {
  const [isOpen, setOpen] = useState(false);
  const signOutMutation = useMutation({ networkMode: 'always', mutationFn: signOut });
  const tenantMutation = useMutation({ networkMode: 'always', mutationFn: (tenantId: string) => enterTenant(tenantId, hashInOtherApp()) });
  const hasEnvironments = useServed()('environments');
  const environment = useEnvironment();
  const app = me.apps.find(({ id }) => id === appId);
  const name = app?.display_name || app?.name || '';
  const where = hasEnvironments ? `${me.tenant.name}, ${environment ?? 'all environments'}` : me.tenant.name;
  const label = [name, me.tenant.name, environment].filter(Boolean).join(', ');
  const error = signOutMutation.error ?? tenantMutation.error;
  return (
    <Popup
      label="App and account"
      isOpen={isOpen}
      onOpenChange={setOpen}
      className="w-form text-row"
      trigger={
        <button
          type="button"
          {...hint(label, '')}
          className={clsx(
            'mb-1 flex min-h-11 w-full shrink-0 flex-col items-center justify-center rounded-control text-left hover:bg-hover',
            !isFolded && 'sidebar:flex-row sidebar:gap-2',
          )}
        >
          <span className="grid size-8 shrink-0 place-items-center rounded-card border border-line-2 font-strong text-fg text-label">
            {initialsOf(name)}
            <span className="sr-only">{`, app and account: ${label}`}</span>
          </span>
          {hasEnvironments && (
            <span aria-hidden="true" className={clsx('w-full truncate text-center text-fg-2 text-label', iconOnlyDisplay(isFolded))}>
              {environment ?? 'all'}
            </span>
          )}
          <span aria-hidden="true" className={clsx('min-w-0 flex-1', labelDisplay(isFolded, 'grid'))}>
            <Text strong cut>
              {name}
            </Text>
            <Text size="label" tone="dim" cut>
              {where}
            </Text>
          </span>
          <span className={clsx('pr-1 text-fg-3', labelDisplay(isFolded, 'block'))}>
            <Icon of={ChevronsUpDown} size="small" />
          </span>
        </button>
      }
    >
      <Group title={`Apps of ${me.tenant.name}`}>
        {me.apps.map(({ id, name: appName, display_name }) => (
          <Choice key={id} isOn={id === appId} onChoose={() => (id === appId ? setOpen(false) : enterApp(id, hashInOtherApp()))}>
            {display_name || appName}
          </Choice>
        ))}
      </Group>
      {hasEnvironments && <EnvironmentChoices onChosen={() => setOpen(false)} />}
      {me.tenants.length > 1 && (
        <Group title="Teams">
          {me.tenants.map(({ id, name: tenantName }) => (
            <Choice key={id} isOn={id === me.tenant.id} onChoose={() => (id === me.tenant.id ? setOpen(false) : tenantMutation.mutate(id))}>
              {tenantName}
            </Choice>
          ))}
        </Group>
      )}
      <Group title={`${me.user.email}, ${me.role}`}>
        <Link to="/settings/account" onClick={() => setOpen(false)} className={itemStyle}>
          <Icon of={UserRound} size="small" />
          Your account
        </Link>
        <button type="button" onClick={() => signOutMutation.mutate()} className={itemStyle}>
          <Icon of={LogOut} size="small" />
          Sign out
        </button>
      </Group>
      {error && (
        <Text as="p" tone="err" className="px-2 py-1">
          {asFailure(error, '').why}
        </Text>
      )}
    </Popup>
  );
}
