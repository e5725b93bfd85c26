/** Checks for every screen: no errors in the console, and no serious violations of axe in both themes. */
import { expect, type Page } from '@playwright/test';
import { violationsOf } from '../bench/screens/accessibility.ts';

/** Collects errors of the console; check them at the end. */
export function watchConsole(page: Page): string[] {
  const errors: string[] = [];
  page.on('console', (message) => void (message.type() === 'error' && errors.push(message.text())));
  page.on('pageerror', (error) => void errors.push(String(error)));
  return errors;
}

/** Expects that the page in its current state is accessible in the dark and the light theme. */
export async function expectReadable(page: Page): Promise<void> {
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    const violations = await violationsOf(page, { isOtherTheme: colorScheme === 'light' });
    const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
    expect(
      serious.map(({ id, help, nodes }) => `${colorScheme} ${id}: ${help} ${nodes[0]?.html ?? ''}`),
      page.url(),
    ).toEqual([]);
  }
}

const sizes = [
  { width: 900, height: 700 },
  { width: 1440, height: 900 },
];

/** As `expectReadable`, in a narrow window and then in a wide one. */
export async function expectReadableAtAnyWidth(page: Page): Promise<void> {
  for (const size of sizes) {
    await page.setViewportSize(size);
    await expectReadable(page);
  }
}
