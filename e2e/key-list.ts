/** The keys that a page lists in the sheet of `?`, and pressing them. */
import { expect, type Page } from '@playwright/test';

export interface ListedKey {
  /** `group: what it does` */
  name: string;
  /** For Playwright; two keys of a pair are separated by a space. */
  on: string[];
}

/** What is tried with one key: the page is as it was opened, and `press` presses the key. */
export type KeyCheck = (page: Page, press: () => Promise<void>) => Promise<void>;
export type KeyChecks = Record<string, KeyCheck>;

/** As the sheet shows them, and as Playwright names them. */
const names: Record<string, string> = {
  '↓': 'ArrowDown',
  '↑': 'ArrowUp',
  '←': 'ArrowLeft',
  '→': 'ArrowRight',
  Esc: 'Escape',
  'Ctrl K': 'Control+k',
  'Mod+Enter': 'Control+Enter',
};

/** Opens the sheet, reads it, and closes it. */
export async function listedKeys(page: Page): Promise<ListedKey[]> {
  await page.keyboard.press('?');
  const sheet = page.getByRole('dialog', { name: 'Keys' });
  await expect(sheet).toBeVisible();
  const listed = await sheet.locator('section').evaluateAll((sections) =>
    sections.flatMap((section) => {
      const group = section.querySelector('h3')?.textContent ?? '';
      return [...section.querySelectorAll('h3 ~ div')].map((line) => ({
        name: `${group}: ${line.firstElementChild?.textContent ?? ''}`,
        on: [...(line.lastElementChild?.children ?? [])].map((cap) => cap.textContent ?? ''),
      }));
    }),
  );
  await page.keyboard.press('Escape');
  await expect(sheet).toBeHidden();
  return listed.map(({ name, on }) => ({ name, on: on.map((cap) => names[cap] ?? cap) }));
}

/** Both keys of a pair at once: a busy page takes longer for the first than the second may come later. */
export async function pressKey(page: Page, key: string): Promise<void> {
  await Promise.all((/^\w \S$/.test(key) ? key.split(' ') : [key]).map((one) => page.keyboard.press(one)));
}

/**
 * Presses every key that the page lists and `others` does not have, each on the page as `open` opens it.
 * A listed key without a check is a failure, and so is a check of a key that is not listed.
 */
export async function tryKeys(page: Page, open: () => Promise<void>, checks: KeyChecks, others: KeyChecks = {}): Promise<void> {
  await open();
  const listed = (await listedKeys(page)).filter(({ name }) => !(name in others) || name in checks);
  expect(listed.map(({ name }) => name).sort()).toEqual(Object.keys(checks).sort());
  for (const { name, on } of listed)
    for (const key of on) {
      await open();
      const check = checks[name] as KeyCheck;
      await check(page, () => pressKey(page, key)).catch((error: Error) => {
        throw new Error(`${key} (${name}): ${error.message}`, { cause: error });
      });
    }
}
