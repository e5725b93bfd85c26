/**
 * Sign-in and sign-out. Another user or app starts with a reload of the page, so that no earlier data remains. The address stays, so the
 * requested page opens.
 */
import { preference, readPreference, writePreference } from '../ui/primitives/preferences.ts';
import { signInClient } from './client.ts';
import { currentIdentity, type Me, setIdentity } from './identity.ts';
import { queries } from './queries.ts';
import { onRefused } from './refusal-listeners.ts';

/** Reads the signed-in user. Skipped when nobody has signed in here, because the request would be refused. */
export async function loadIdentity(): Promise<void> {
  const capabilities = await signInClient.platform.capabilities().catch(() => null);
  // Every screen reports an unreachable gateway, and its first refusal leads back here.
  if (capabilities === null) return setIdentity({ phase: 'open' });
  queries.setQueryData(['capabilities'], capabilities);
  if (capabilities.endpoints.auth !== true) return setIdentity({ phase: 'open' });
  if (!readPreference(preference.hasSignedIn)) return setIdentity({ phase: 'signed-out', isOver: false });
  await refreshMe();
}

async function refreshMe(): Promise<void> {
  const before = currentIdentity();
  try {
    const { data } = await signInClient.auth.me();
    const isStart = before.phase !== 'signed-in';
    const requested = isStart ? appInUrl() : before.appId;
    const appId = data.apps.find(({ id }) => id === requested)?.id ?? appOf(data);
    // The selected app was deleted, so the data on the page is invalid.
    if (!isStart && before.appId !== null && before.appId !== appId) return restart('#/traces');
    if (isStart) writePreference(preference.app, appId);
    setIdentity({ phase: 'signed-in', me: data, appId, isOtherApp: isStart && requested !== undefined && requested !== appId });
  } catch {
    writePreference(preference.hasSignedIn, false);
    queries.clear();
    setIdentity({ phase: 'signed-out', isOver: before.phase === 'signed-in' });
  }
}

/** Last selected app if it exists; else the oldest, which is listed last. */
function appOf({ apps }: Me): string | null {
  const last = readPreference(preference.app);
  return (apps.find(({ id }) => id === last) ?? apps.at(-1))?.id ?? null;
}

/** App of a copied link, if it names one. */
const appInUrl = (): string | undefined => /[?&]app=([\w-]+)/.exec(window.location.hash)?.[1];

/** Screens send many requests at once, and their refusals count as one. */
let isRefreshing = false;
onRefused(async () => {
  if (isRefreshing || currentIdentity().phase === 'signed-out') return;
  isRefreshing = true;
  await loadIdentity();
  isRefreshing = false;
});

/** @param hash page to open instead of the current one */
export const restart = (hash?: string): void => {
  if (hash !== undefined) window.location.hash = hash;
  window.location.reload();
};

/** The page shown after a failed sign-in with a provider. Sign-in never leads back to it. */
export const isSignInPage = (hash: string): boolean => hash === '#/sign-in' || hash.startsWith('#/sign-in?');

/** Does not resolve on success: the page is reloaded. */
export async function signIn(email: string, password: string): Promise<void> {
  await signInClient.auth.login({ body: { email, password } });
  writePreference(preference.hasSignedIn, true);
  restart(isSignInPage(window.location.hash) ? '#/traces' : undefined);
}

/** Like `signIn`, for an invited user. */
export async function join(code: string, password: string): Promise<void> {
  await signInClient.auth.join({ body: { code, password } });
  writePreference(preference.hasSignedIn, true);
  restart('#/traces');
}

/** Whether there is such an account, the answer does not tell. */
export async function requestPasswordReset(email: string): Promise<void> {
  await signInClient.passwordResets.request({ body: { email } });
}

/** Ends the login of this browser too. */
export async function resetPassword(code: string, password: string): Promise<void> {
  await signInClient.passwordResets.use({ body: { code, password } });
  writePreference(preference.hasSignedIn, false);
}

/** Goes to the identity provider, which returns to the current page. */
export function signInElsewhere(): void {
  writePreference(preference.hasSignedIn, true);
  const page = window.location.hash;
  window.location.assign(
    `/v1/auth/openid?${new URLSearchParams({ return_to: page.startsWith('#/') && !isSignInPage(page) ? page : '#/' })}`,
  );
}

export async function signOut(): Promise<void> {
  await signInClient.auth.logout();
  writePreference(preference.hasSignedIn, false);
  restart('#/');
}

/** @param hash page to open, because the current one shows data of the other app */
export function enterApp(appId: string, hash = '#/traces'): void {
  writePreference(preference.app, appId);
  restart(hash);
}

/** @param hash as for `enterApp` */
export async function enterTenant(tenantId: string, hash: string): Promise<void> {
  await signInClient.auth.enter({ body: { tenant_id: tenantId } });
  restart(hash);
}

/** Reads the user again after a change of the tenant or the account. */
export const refreshIdentity = (): Promise<void> => refreshMe();
