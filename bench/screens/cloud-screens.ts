/** The screens that only a cloud has, and how to open them. */
import type { Browser, Page } from '@playwright/test';
import { scriptedAgents } from '../../server/fixtures/scripted-runtime.ts';
import { startTestCloud, type TestCloud } from '../../server/fixtures/test-cloud.ts';
import { type SeededCloud, seedCloud } from './seed-cloud.ts';
import { takeScreenshots } from './take-screenshot.ts';

interface CloudScreen {
  name: string;
  /** The part of the URL after `#`. */
  path(seeded: SeededCloud): string;
  before?(page: Page): Promise<void>;
  /** Open it without a login. */
  isSignedOut?: true;
  hasEmptyState?: true;
  /** The requests that fail in the screenshot of its failed state. Others work, so the login stays valid. */
  failing?: RegExp;
}

const press = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name }).first().click();

const screens: CloudScreen[] = [
  // First, because a code is valid for ten minutes.
  { name: 'cloud-link', path: ({ code }) => `/link?code=${code}`, failing: /\/v1\/auth\/device/ },
  { name: 'cloud-sign-in', path: () => '/traces', isSignedOut: true },
  { name: 'cloud-join', path: () => '/join?code=3fK9&email=auditor%40partner.test', isSignedOut: true },
  { name: 'cloud-forgotten-password', path: () => '/traces', isSignedOut: true, before: press('Forgot password?') },
  { name: 'cloud-reset-password', path: () => '/reset-password?code=3fK9&email=auditor%40partner.test', isSignedOut: true },
  { name: 'cloud-traces', path: () => '/traces', hasEmptyState: true, failing: /\/v1\/(viewer|traces)/ },
  { name: 'cloud-apps-menu', path: () => '/traces', before: press(/app and account/) },
  { name: 'cloud-keys', path: () => '/settings/keys', failing: /\/v1\/api-keys/ },
  {
    name: 'cloud-key-new',
    path: () => '/settings/keys',
    before: async (page) => {
      await press('New key')(page);
      await page.getByRole('button', { name: 'Custom' }).click();
    },
  },
  { name: 'cloud-members', path: () => '/settings/members', failing: /\/v1\/viewer\/(members|invitations)/ },
  { name: 'cloud-inbox', path: () => '/inbox', failing: /\/v1\/viewer\/notices\?/ },
  { name: 'cloud-retention', path: () => '/settings/retention', failing: /\/v1\/retention$/ },
  { name: 'cloud-share-links', path: () => '/settings/share-links', failing: /\/v1\/share-links\?/ },
  { name: 'cloud-share-trace', path: ({ shared }) => `/traces/${shared}`, before: press('Share a link…') },
  { name: 'cloud-shared-trace', path: ({ shareToken }) => `/shared/${shareToken}`, isSignedOut: true },
  { name: 'cloud-score-configs', path: () => '/settings/scores', hasEmptyState: true, failing: /\/v1\/score-configs/ },
  { name: 'cloud-score-config-new', path: () => '/settings/scores', before: press('New score configuration') },
  { name: 'cloud-audit-log', path: () => '/settings/audit-log', failing: /\/v1\/audit-log/ },
  { name: 'cloud-usage', path: () => '/settings/usage', failing: /\/v1\/viewer\/usage/ },
  { name: 'cloud-apps', path: () => '/settings/apps' },
  { name: 'cloud-environments', path: () => '/settings/environments', failing: /\/v1\/environments/ },
  { name: 'cloud-environment', path: ({ environment }) => `/settings/environments/${environment}`, failing: /\/v1\/environments/ },
  {
    name: 'cloud-promote',
    path: ({ environment }) => `/settings/environments/${environment}`,
    before: press('Promote to this environment'),
  },
  { name: 'cloud-deployments', path: () => '/deployments', hasEmptyState: true, failing: /\/v1\/deployments/ },
  { name: 'cloud-alerts', path: () => '/alerts', hasEmptyState: true, failing: /\/v1\/alerts/ },
  { name: 'cloud-alert', path: ({ alert }) => `/alerts/${alert}`, failing: /\/v1\/alerts/ },
  { name: 'cloud-alert-new', path: () => '/alerts', before: press('New alert') },
  { name: 'cloud-destinations', path: () => '/settings/destinations', failing: /\/v1\/alert/ },
  { name: 'cloud-channel-new', path: () => '/settings/destinations', before: press('Add channel') },
  { name: 'cloud-git', path: () => '/settings/git', failing: /\/v1\/apps\/[^/]+\/git/ },
  { name: 'cloud-worker', path: () => '/settings/worker', hasEmptyState: true, failing: /\/v1\/viewer\/worker/ },
  { name: 'cloud-run-experiment', path: () => '/datasets?name=handbook.jsonl', before: press('Run experiment') },
  { name: 'cloud-experiment-run', path: ({ experiment }) => `/experiments?id=${experiment}`, failing: /\/v1\/experiments/ },
  { name: 'cloud-account', path: () => '/settings/account' },
  { name: 'cloud-queues', path: () => '/queues', hasEmptyState: true, failing: /\/v1\/annotation/ },
  { name: 'cloud-queue', path: ({ queue }) => `/queues/${queue}`, failing: /\/v1\/annotation/ },
  { name: 'cloud-queue-items', path: ({ queue }) => `/queues/${queue}?view=items`, failing: /\/v1\/annotation/ },
  { name: 'cloud-queue-progress', path: ({ queue }) => `/queues/${queue}?view=progress`, failing: /\/v1\/annotation/ },
  { name: 'cloud-queue-reviewers', path: ({ queue }) => `/queues/${queue}`, before: press('Reviewers') },
  { name: 'cloud-queue-rules', path: ({ queue }) => `/queues/${queue}`, before: press('Rules') },
  { name: 'cloud-evals', path: () => '/evals', hasEmptyState: true, failing: /\/v1\/viewer\/eval/ },
  { name: 'cloud-eval-run', path: ({ evalRun }) => `/evals/${evalRun}`, failing: /\/v1\/viewer\/eval/ },
  { name: 'cloud-eval-trials', path: ({ evalRun }) => `/evals/${evalRun}?side=trials` },
  { name: 'cloud-agent-session', path: () => '/sessions/agent-7f3a' },
  { name: 'cloud-workers', path: () => '/workers', hasEmptyState: true, failing: /\/v1\/workers/ },
  { name: 'cloud-worker-runs', path: () => '/workers?show=runs', failing: /\/v1\/workers/ },
  { name: 'cloud-worker-new', path: () => '/workers', before: press('New task') },
  { name: 'cloud-worker-run', path: ({ run }) => `/workers/runs/${run}`, failing: /\/v1\/workers/ },
  {
    name: 'cloud-worker-thread',
    path: ({ workspace }) => `/workers/${workspace}`,
    failing: /\/v1\/workers/,
    before: (page) =>
      page
        .getByRole('button', { name: /^Checkpoint/ })
        .last()
        .click(),
  },
];

interface Selection {
  out: string;
  /** Only screens whose name matches this regular expression. */
  only: string;
  report(name: string, findings: readonly string[]): void;
}

export async function takeCloudScreenshots(browser: Browser, { out, only, report }: Selection): Promise<void> {
  const selected = screens.filter(({ name }) => new RegExp(only).test(name));
  if (selected.length === 0) return;
  const empty = await startTestCloud({ codingAgents: scriptedAgents() });
  const seeded = await seedCloud();
  try {
    const logins = { full: await signIn(browser, seeded.cloud), empty: await signIn(browser, empty) };
    for (const { name, path, before, isSignedOut, hasEmptyState, failing } of selected) {
      const at = ({ url }: TestCloud) => ({ name, before, out, url: `${url}/#${path(seeded)}` });
      const loaded = { ...at(seeded.cloud), ...(isSignedOut ? {} : { storageState: logins.full }) };
      const states = {
        loaded,
        ...(failing && { failed: { ...loaded, failing } }),
        ...(hasEmptyState && { empty: { ...at(empty), storageState: logins.empty } }),
      };
      report(name, await takeScreenshots(browser, states));
    }
  } finally {
    await Promise.all([empty.stop(), seeded.cloud.stop()]);
  }
}

/** Signs in. @returns cookies and storage of the login */
async function signIn(browser: Browser, { url, tenant: { email, password } }: TestCloud) {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(url);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('navigation', { name: 'Pages' }).waitFor();
  const state = await context.storageState();
  await context.close();
  return state;
}
