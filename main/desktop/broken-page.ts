/** Actions after a page has crashed or hangs. The gateway is in another thread and continues. */
import type { Ask } from './ask.ts';

/** Chromium's reasons that need no report: closed by us, or a system shutdown. */
const expectedReasons = new Set(['clean-exit', 'killed']);

interface Page {
  reload(): void;
  close(): void;
}

export async function offerReload(reason: string, page: Page, ask: Ask): Promise<void> {
  if (expectedReasons.has(reason)) return;
  const detail = `The page ended (${reason}). Spans are still received, and none are lost.`;
  const answer = await ask({ type: 'warning', message: 'This window stopped working', detail, buttons: ['Reload', 'Close the window'] });
  if (answer === 0) page.reload();
  else page.close();
}

/** `Wait` is the last button, which Escape chooses. */
export async function offerWait(page: Page, ask: Ask): Promise<void> {
  const detail = 'It may be rendering something very large. Spans are still received.';
  const answer = await ask({ type: 'warning', message: 'This window does not respond', detail, buttons: ['Reload', 'Wait'] });
  if (answer === 0) page.reload();
}
