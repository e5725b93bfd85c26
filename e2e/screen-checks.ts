/** What every screen must pass: a console without errors, and axe without serious violations in both themes. */
import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/** Gathers what the console says is wrong; look at it at the end. */
export function watchConsole(page: Page): string[] {
  const errors: string[] = [];
  page.on('console', (message) => void (message.type() === 'error' && errors.push(message.text())));
  page.on('pageerror', (error) => void errors.push(String(error)));
  return errors;
}

/** The page as it stands reads well for everybody, in dark and in light. */
export async function expectReadable(page: Page): Promise<void> {
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    const { violations } = await new AxeBuilder({ page }).analyze();
    const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
    expect(
      serious.map(({ id, help, nodes }) => `${colorScheme} ${id}: ${help} ${nodes[0]?.html ?? ''}`),
      page.url(),
    ).toEqual([]);
  }
}
