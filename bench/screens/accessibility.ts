/** What axe finds in a page. */
import type { Page } from '@playwright/test';
import axe, { type Result } from 'axe-core';

const htmlMax = 160;

/** Colours are all that differs in another theme, and no other rule depends on them. */
const colourRules = ['color-contrast', 'link-in-text-block'];

export interface AnalysisOptions {
  /** The page was analysed in one theme and is now shown in the other. */
  isOtherTheme?: boolean;
  /** Rules in addition to those that axe runs by default. */
  extraRules?: readonly string[];
}

/** The violations in the page as it is. Frames of other origins, of which our pages have none, are not analysed. */
export async function violationsOf(page: Page, { isOtherTheme = false, extraRules = [] }: AnalysisOptions = {}): Promise<Result[]> {
  if (page.frames().length > 1) throw new Error('Only pages without frames can be analysed like this.');
  // Half a megabyte of script: to compile it takes longer than the analysis.
  if (!(await page.evaluate(`'axe' in window`))) await page.evaluate(`${axe.source};undefined`);
  const rules = Object.fromEntries(extraRules.map((rule) => [rule, { enabled: true }]));
  const options = { resultTypes: ['violations'], rules, ...(isOtherTheme ? { runOnly: colourRules } : {}) };
  return page.evaluate<Result[]>(`axe.run(document, ${JSON.stringify(options)}).then(({ violations }) => violations)`);
}

/**
 * Every rule that axe runs by default, and the size of targets (WCAG 2.2).
 * @returns a line for each finding, with its rule and the first element
 */
export async function accessibilityFindings(page: Page, isOtherTheme = false): Promise<string[]> {
  const violations = await violationsOf(page, { isOtherTheme, extraRules: isOtherTheme ? [] : ['target-size'] });
  return violations.map(({ id, help, nodes }) => `axe ${id}: ${help}, ${nodes.length} times, first ${nodes[0]?.html.slice(0, htmlMax)}`);
}
