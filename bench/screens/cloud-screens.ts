/** The screens that only a team has, and how to get to what is worth seeing on them. */
import type { Browser, Page } from '@playwright/test';
import { scriptedWorkers } from '../../server/fixtures/scripted-runtime.ts';
import { startTestCloud, type TestCloud } from '../../server/fixtures/test-cloud.ts';
import { type FurnishedCloud, furnishCloud } from './furnish-cloud.ts';
import { photograph, sizes, themes } from './photograph.ts';

interface CloudScreen {
  name: string;
  /** What stands behind `#`. */
  path(furnished: FurnishedCloud): string;
  before?(page: Page): Promise<void>;
  /** As somebody who is not signed in. */
  isOutside?: true;
  emptyToo?: true;
}

const press = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name }).first().click();

const screens: CloudScreen[] = [
  { name: 'cloud-sign-in', path: () => '/traces', isOutside: true },
  { name: 'cloud-traces', path: () => '/traces', emptyToo: true },
  { name: 'cloud-apps-menu', path: () => '/traces', before: press(/app and account/) },
  { name: 'cloud-keys', path: () => '/settings/keys' },
  {
    name: 'cloud-key-new',
    path: () => '/settings/keys',
    before: async (page) => {
      await press('New key')(page);
      await page.getByRole('button', { name: 'Custom' }).click();
    },
  },
  { name: 'cloud-members', path: () => '/settings/members' },
  { name: 'cloud-usage', path: () => '/settings/usage' },
  { name: 'cloud-apps', path: () => '/settings/apps' },
  { name: 'cloud-environments', path: () => '/settings/environments' },
  { name: 'cloud-environment', path: ({ environment }) => `/settings/environments/${environment}` },
  { name: 'cloud-promote', path: ({ environment }) => `/settings/environments/${environment}`, before: press('Promote into it') },
  { name: 'cloud-deployments', path: () => '/settings/deployments', emptyToo: true },
  { name: 'cloud-alerts', path: () => '/settings/alerts', emptyToo: true },
  { name: 'cloud-alert', path: ({ alert }) => `/settings/alerts/${alert}` },
  { name: 'cloud-alert-new', path: () => '/settings/alerts', before: press('New alert') },
  { name: 'cloud-destinations', path: () => '/settings/destinations' },
  { name: 'cloud-git', path: () => '/settings/git' },
  { name: 'cloud-account', path: () => '/settings/account' },
  { name: 'cloud-queues', path: () => '/queues', emptyToo: true },
  { name: 'cloud-queue', path: ({ queue }) => `/queues/${queue}` },
  { name: 'cloud-workers', path: () => '/workers', emptyToo: true },
  { name: 'cloud-worker-runs', path: () => '/workers?show=runs' },
  { name: 'cloud-worker-new', path: () => '/workers', before: press('New work') },
  {
    name: 'cloud-worker-thread',
    path: ({ workspace }) => `/workers/${workspace}`,
    before: (page) =>
      page
        .getByRole('button', { name: /^Checkpoint/ })
        .last()
        .click(),
  },
];

/** @param only screens whose name contains this */
export async function photographCloud(browser: Browser, { out, only }: { out: string; only: string }): Promise<void> {
  const wanted = screens.filter(({ name }) => name.includes(only));
  if (wanted.length === 0) return;
  const bare = await startTestCloud({ workers: scriptedWorkers() });
  const furnished = await furnishCloud();
  try {
    const inside = { full: await signedIn(browser, furnished.cloud), bare: await signedIn(browser, bare) };
    for (const { name, path, before, isOutside, emptyToo } of wanted) {
      const sight = { name, before, out };
      const at = ({ url }: TestCloud) => `${url}/#${path(furnished)}`;
      for (const theme of themes) {
        for (const size of sizes) {
          const full = { ...sight, url: at(furnished.cloud), ...(isOutside ? {} : { storageState: inside.full }) };
          await photograph(browser, full, { state: 'loaded', theme, size });
          if (emptyToo) await photograph(browser, { ...sight, url: at(bare), storageState: inside.bare }, { state: 'empty', theme, size });
        }
      }
      process.stdout.write(`${name}\n`);
    }
  } finally {
    await Promise.all([bare.stop(), furnished.cloud.stop()]);
  }
}

/** What a browser keeps of a login. */
async function signedIn(browser: Browser, { url, tenant: { email, password } }: TestCloud) {
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
