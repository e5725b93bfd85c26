import { type Locator, type Page, expect as playwrightExpect } from '@playwright/test';
import type { HttpClient } from '../gateway/http-client.ts';
import type { SeededStore } from '../screens/seed-store.ts';
import type { Hands } from './hands.ts';

/** A gateway with the data of the tasks. */
export interface Place {
  url: string;
  client: HttpClient;
  seeded: SeededStore;
  /** The trace of many spans. */
  largeTrace: string;
  projectFolder: string;
  /** Where a screenshot is saved. */
  pictureOf(name: string): string;
  /** A gateway without data. */
  empty: { url: string; client: HttpClient };
}

export interface Task {
  title: string;
  /** What the review of 23 November found, in a word. */
  before: string;
  /** Carries the task out, from the list of traces. Rejects with what is missing when the state that proves the answer does not come. */
  run(hands: Hands, place: Place): Promise<void>;
}

/** Enough for a machine on which other programs are busy. */
export const timeoutMs = 60_000;
export const expect = playwrightExpect.configure({ timeout: timeoutMs });

export const rowsOf = (page: Page, table: string) =>
  page.getByRole('table', { name: table, exact: true }).locator('[role=row][aria-rowindex]');
export const traceRows = (page: Page) => rowsOf(page, 'Traces');
export const detailOf = (page: Page) => page.getByLabel('Detail', { exact: true });

/** Opens the list of traces, which is not counted: people have it open. */
export async function openList({ page }: Hands, { url }: Place): Promise<void> {
  await page.goto(`${url}/#/traces`);
  await expect(traceRows(page).first()).toBeVisible();
}

/** Writes a line into the filter of the list, and waits until a row shows a text. @returns that row */
export async function search(hands: Hands, line: string, shown: string, table = 'Traces'): Promise<Locator> {
  const field = hands.page.getByRole('textbox', { name: 'Filter' });
  await hands.press('/');
  await expect(field).toBeFocused();
  await hands.type(line);
  await hands.press('Enter');
  await expect(hands.page).toHaveURL(/filter=/);
  // The rows before the search stay until those of the search have come.
  if (table === 'Traces') await expect(hands.page.getByText(/ of .+ · found in /)).toBeVisible();
  const row = rowsOf(hands.page, table).filter({ hasText: shown }).first();
  await expect(row).toBeVisible();
  return row;
}

/** Opens the trace of the row that a search finds, beside the list. */
export async function openFound(hands: Hands, line: string, shown: string): Promise<void> {
  const row = await search(hands, line, shown);
  await hands.click(row.getByRole('link').first());
  await expect(hands.page.getByRole('treeitem').first()).toBeVisible();
}
