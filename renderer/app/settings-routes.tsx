import { createRoute, redirect } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { lazyComponent } from '../api/lazy-component.tsx';
import { readAuditUrl, readGitUrl, readKeysUrl } from '../features/settings/url.ts';
import { ownSearch } from '../model/filter/url-shapes.ts';
import { root } from './root-route.ts';

const loadFrame = async () => (await import('../features/settings/settings-frame.tsx')).SettingsFrame;

/** A settings page inside the frame with their navigation. */
const page = (load: () => Promise<ComponentType>) =>
  lazyComponent(async () => {
    const [SettingsFrame, Page] = await Promise.all([loadFrame(), load()]);
    return () => (
      <SettingsFrame>
        <Page />
      </SettingsFrame>
    );
  });

/** The settings of a team and its apps: one frame, a page for each kind. */
export const settingsRoutes = [
  createRoute({
    getParentRoute: () => root,
    path: '/settings',
    beforeLoad: () => {
      throw redirect({ to: '/settings/keys', replace: true });
    },
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/settings/keys',
    validateSearch: ownSearch(readKeysUrl),
    component: page(async () => (await import('../features/settings/keys-screen.tsx')).KeysScreen),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/settings/members',
    component: page(async () => (await import('../features/settings/members-screen.tsx')).MembersScreen),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/settings/audit-log',
    validateSearch: ownSearch(readAuditUrl),
    component: page(async () => (await import('../features/settings/audit-screen.tsx')).AuditScreen),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/settings/usage',
    component: page(async () => (await import('../features/settings/usage-screen.tsx')).UsageScreen),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/settings/apps',
    component: page(async () => (await import('../features/settings/apps-screen.tsx')).AppsScreen),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/settings/git',
    validateSearch: ownSearch(readGitUrl),
    component: page(async () => (await import('../features/settings/git-screen.tsx')).GitScreen),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/settings/worker',
    component: page(async () => (await import('../features/settings/worker-screen.tsx')).WorkerScreen),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/settings/account',
    component: page(async () => (await import('../features/settings/account-screen.tsx')).AccountScreen),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/settings/environments',
    component: page(async () => (await import('../features/environments/environments-screen.tsx')).EnvironmentsScreen),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/settings/environments/$environmentId',
    component: page(async () => (await import('../features/environments/environment-screen.tsx')).EnvironmentScreen),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/settings/retention',
    component: page(async () => (await import('../features/retention/retention-screen.tsx')).RetentionScreen),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/settings/share-links',
    component: page(async () => (await import('../features/settings/share-links-screen.tsx')).ShareLinksScreen),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/settings/scores',
    component: page(async () => (await import('../features/score-configs/score-configs-screen.tsx')).ScoreConfigsScreen),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/settings/destinations',
    component: page(async () => (await import('../features/alerts/destinations-screen.tsx')).DestinationsScreen),
  }),
] as const;
