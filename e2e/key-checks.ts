/** What keys do, as checks: each presses its key on a page and looks for what its label says. */
import { expect, type Page } from '@playwright/test';
import type { KeyCheck, KeyChecks } from './key-list.ts';

type Find = (page: Page) => ReturnType<Page['locator']>;

/**
 * Opens pages of a gateway anew, each until something on it is ready.
 * @param urlOf asked when a page is opened
 */
export const openingAt = (urlOf: () => string) => (page: Page, path: string, isReady: Find) => async () => {
  // Another document first: the page that is open may still write its state into its address, which a reload would open.
  await page.goto('about:blank');
  await page.goto(`${urlOf()}/#${path}`);
  await expect(isReady(page).first()).toBeVisible();
};

async function pressAll(page: Page, keys: readonly string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key);
}

/** Shows something, after other keys. */
export const seen =
  (find: Find, before: readonly string[] = []): KeyCheck =>
  async (page, press) => {
    await pressAll(page, before);
    await press();
    await expect(find(page)).toBeVisible();
  };
export const dialog = (name: string | RegExp, before: readonly string[] = []) => seen((page) => page.getByRole('dialog', { name }), before);
export const menu = (name: string) => seen((page) => page.getByRole('menu', { name }));
export const pressed = (name: string, before: readonly string[] = []) =>
  seen((page) => page.getByRole('button', { name, exact: true, pressed: true }), before);

export const focused =
  (name: string): KeyCheck =>
  async (page, press) => {
    await press();
    await expect(page.getByRole('textbox', { name })).toBeFocused();
  };

/** Leads to an address, after other keys. */
export const to =
  (address: RegExp, before: readonly string[] = []): KeyCheck =>
  async (page, press) => {
    await pressAll(page, before);
    await press();
    await expect(page).toHaveURL(address);
  };

const pages = [
  'traces',
  'sessions',
  'dashboard',
  'scores',
  'datasets',
  'experiments',
  'prompts',
  'ingest log',
  'runaways',
  'spending',
  'storage',
  'cloud',
  'set up',
];

/** Of every page of a local gateway. */
export const everywhere: KeyChecks = {
  'Everywhere: Commands': dialog('Commands'),
  'Everywhere: All keys': dialog('Keys'),
  'Everywhere: Fold the sidebar': async (page, press) => {
    const name = page.getByRole('navigation', { name: 'Pages' }).getByText('Sessions', { exact: true });
    await expect(name).toBeVisible();
    await press();
    await expect(name).toBeHidden();
    await press();
    await expect(name).toBeVisible();
  },
  ...Object.fromEntries(
    pages.map((name) => [
      `Everywhere: Go to ${name}`,
      seen((page) => page.getByRole('heading', { level: 1, name: new RegExp(`^${name}$`, 'i') })),
    ]),
  ),
};

const current: Find = (page) => page.locator('[role=row][data-on=true]');

/** The row that is current after some keys, by its number from 1. */
export const row =
  (number: number, before: readonly string[] = []): KeyCheck =>
  async (page, press) => {
    await pressAll(page, before);
    await press();
    await expect(page.locator(`[role=row][data-on=true][aria-rowindex="${number}"]`)).toHaveCount(1);
  };

/** The last row, in a list that says how many it has. */
export const lastRow: KeyCheck = async (page, press) => {
  await press();
  const count = await page.getByRole('table').first().getAttribute('aria-rowcount');
  await expect(current(page)).toHaveAttribute('aria-rowindex', count ?? '');
};

export const leaveRow: KeyCheck = async (page, press) => {
  await page.keyboard.press('j');
  await expect(current(page)).toHaveCount(1);
  await press();
  await expect(current(page)).toHaveCount(0);
};

/** Of every list of rows. */
export const rows: KeyChecks = { 'List: Next row': row(2, ['j']), 'List: Previous row': row(1, ['j', 'j']) };

/** Keys that another part of the journey presses. */
export const checkedElsewhere = (...names: string[]): KeyChecks => Object.fromEntries(names.map((name) => [name, async () => {}]));
