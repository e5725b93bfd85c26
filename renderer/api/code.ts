/**
 * Loads code that is split from the page. Browsers cache a failed import and its dependencies for the life of the page (Chromium never
 * retries). So no import starts while the gateway is known to be unreachable; if one still fails, or an update of the viewer removed its
 * file, the page is reloaded as soon as the gateway answers, not earlier, because a page that fails to load cannot recover.
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

/** The error messages of Chromium, Firefox and Safari. */
const failedImport =
  /^(Failed to fetch dynamically imported module|error loading dynamically imported module|Importing a module script failed)/;

/** Whether only a reload of the page helps. */
export const isCodeMissing = (error: unknown): boolean =>
  error instanceof CodeMissing || (error instanceof TypeError && failedImport.test(error.message));

const probeMsMax = 5000;

const isGatewayReachable = async (): Promise<boolean> => {
  try {
    const probe = { method: 'HEAD', cache: 'no-store', signal: AbortSignal.timeout(probeMsMax) } as const;
    return (await fetch(location.pathname, probe)).ok;
  } catch {
    return false;
  }
};

const loadedKey = 'glasshouse.loaded-anew';
/** Code that stays missing must not make the page reload in a loop. */
const reloadIntervalMsMin = 60_000;

/** Whether the page may be reloaded without asking the user. */
function mayReload(): boolean {
  try {
    const isDue = Date.now() - Number(sessionStorage.getItem(loadedKey)) > reloadIntervalMsMin;
    if (isDue) sessionStorage.setItem(loadedKey, String(Date.now()));
    return isDue;
  } catch {
    // Without session storage a second reload cannot be told from the first.
    return false;
  }
}

/** Does nothing while the gateway does not answer. */
export async function reloadPage(): Promise<void> {
  if (await isGatewayReachable()) location.reload();
}

const forever = new Promise<never>(() => {});
const delay = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Resolves when the code is loaded, however long the gateway is unreachable. Rejects when it answers but the code cannot be loaded. */
export async function loadCode<T>(load: () => Promise<T>): Promise<T> {
  for (let failures = 1; ; failures++) {
    await whenNotAway();
    try {
      return await load();
    } catch (error) {
      if (!(await isGatewayReachable())) await delay(retryDelayMs(failures, Math.random()));
      else if (failures > 1) {
        if (!mayReload()) throw new CodeMissing(error);
        location.reload();
        await forever;
      }
    }
  }
}
