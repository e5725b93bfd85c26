import { useLocation, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useEffect, useState } from 'react';
import { useAppId, useIdentity } from '../api/identity.ts';
import { restart } from '../api/sign-in.ts';
import { Button } from '../ui/primitives/button.tsx';
import { Text } from '../ui/primitives/text.tsx';
import { switchEnvironment, useAppInUrl, useEnvironment } from './place.ts';

/** Pages with data of environments that list all of them. */
const pagesOfAll = [
  '/dashboard',
  '/sessions',
  '/scores',
  '/experiments',
  '/evals',
  '/alerts',
  '/runaways',
  '/spending',
  '/deployments',
  '/ingest-log',
  '/inbox',
];

/** Says where the page is not what the URL or the sidebar promises; keeps the app of the page and of the URL the same. */
export function PlaceNotice() {
  useAppOfUrl();
  const identity = useIdentity();
  const path = useLocation({ select: ({ pathname }) => pathname });
  const environment = useEnvironment();
  const [isHidden, setHidden] = useState(false);
  if (identity.phase !== 'signed-in') return null;
  if (identity.isOtherApp && !isHidden) {
    const app = identity.me.apps.find(({ id }) => id === identity.appId);
    return (
      <Notice action={<Button onClick={() => setHidden(true)}>Hide</Button>}>
        {`The link is to an app that you cannot open, or that was deleted. You see ${app?.display_name || app?.name}.`}
      </Notice>
    );
  }
  if (environment === undefined || !pagesOfAll.includes(path)) return null;
  return (
    <Notice action={<Button onClick={() => switchEnvironment(undefined)}>Switch to all environments</Button>}>
      {`This page shows all environments, not only ${environment}.`}
    </Notice>
  );
}

const Notice = ({ children, action }: { children: string; action: ReactNode }) => (
  <div role="status" className="flex shrink-0 items-center gap-3 border-line border-b bg-raised px-pad py-1">
    <Text tone="quiet" className="min-w-0">
      {children}
    </Text>
    <span className="ml-auto shrink-0">{action}</span>
  </div>
);

/** A URL of another app, typed or from the history, starts the page again in that app; one without an app gets the current one. */
function useAppOfUrl() {
  const appId = useAppId();
  const app = useAppInUrl();
  const navigate = useNavigate();
  useEffect(() => {
    if (appId === null || app === appId) return;
    if (app === undefined) void navigate({ to: '.', search: true, replace: true });
    else restart();
  }, [app, appId, navigate]);
}
