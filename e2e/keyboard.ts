import type { Page } from '@playwright/test';

/**
 * Presses two keys without waiting until the page has handled the first: a busy page takes longer for that than the second key may come
 * later.
 */
export async function pressPair(page: Page, first: string, second: string): Promise<void> {
  await Promise.all([page.keyboard.press(first), page.keyboard.press(second)]);
}
