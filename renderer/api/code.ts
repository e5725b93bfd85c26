/**
 * Loads code that is split from the page. Browsers cache a failed import and its dependencies for the life of the page (Chromium never
 * retries). So no import starts while the gateway is known to be away; if one fails all the same, or an update of the viewer removed its
 * file, the page is reloaded once the gateway answers, and not before, because a page that fails to load is lost.
 */
import { whenNotAway } from './gateway-live.ts';
import { retryDelayMs } from './live.ts';

/** The gateway answers, but the code is missing or broken. */
class CodeMissing extends Error {
  constructor(cause: unknown) {
    super('A part of this page could not be fetched, though the gateway answers.', { cause });
    this.name = 'CodeMissing';
  }
}

/** In the words of Chromium, Firefox and Safari. */
const failedImport =
  /^(Failed to fetch dynamically imported module|error loading dynamically imported module|Importing a module script failed)/;

/** Whether only a reload of the page helps. */
export const isCodeMissing = (error: unknown): boolean =>
  error instanceof CodeMissing || (error instanceof TypeError && failedImport.test(error.message));

const probeMsMax = 5000;

const answers = async (): Promise<boolean> => {
  try {
    const probe = { method: 'HEAD', cache: 'no-store', signal: AbortSignal.timeout(probeMsMax) } as const;
    return (await fetch(location.pathname, probe)).ok;
  } catch {
    return false;
  }
};

const loadedKey = 'glasshouse.loaded-anew';
/** A part that stays away must not have the page loaded for ever. */
const loadAgainMsMin = 60_000;

/** Whether the page may be reloaded without asking the user. */
function mayLoad(): boolean {
  try {
    const isDue = Date.now() - Number(sessionStorage.getItem(loadedKey)) > loadAgainMsMin;
    if (isDue) sessionStorage.setItem(loadedKey, String(Date.now()));
    return isDue;
  } catch {
    // A browser that keeps nothing could not tell the second time from the first.
    return false;
  }
}

/** Does nothing where the gateway does not answer. */
export async function loadPageAnew(): Promise<void> {
  if (await answers()) location.reload();
}

const forever = new Promise<never>(() => {});
const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Resolves when the part is there, however long the gateway is away. Rejects when it answers and the part cannot be had. */
export async function codeOf<T>(load: () => Promise<T>): Promise<T> {
  for (let failures = 1; ; failures++) {
    await whenNotAway();
    try {
      return await load();
    } catch (error) {
      if (!(await answers())) await pause(retryDelayMs(failures, Math.random()));
      else if (failures > 1) {
        if (!mayLoad()) throw new CodeMissing(error);
        location.reload();
        await forever;
      }
    }
  }
}
