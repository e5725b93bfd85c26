/** What axe finds in a page: every rule that it runs by default, and the size of targets (WCAG 2.2). */
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';

const htmlMax = 160;

/**
 * @param isOtherTheme the page was checked in another theme: only colours are, on which no other rule depends
 * @returns a line for each finding, with its rule and the first element
 */
export async function accessibilityFindings(page: Page, isOtherTheme = false): Promise<string[]> {
  const axe = new AxeBuilder({ page });
  if (isOtherTheme) axe.withRules('color-contrast');
  else axe.options({ rules: { 'target-size': { enabled: true } } });
  const { violations } = await axe.analyze();
  return violations.map(({ id, help, nodes }) => `axe ${id}: ${help}, ${nodes.length} times, first ${nodes[0]?.html.slice(0, htmlMax)}`);
}
