/**
 * Sign-in and sign-out. Another user or app starts with a reload of the page, so that no earlier data remains. The address stays, so the
 * requested page opens.
 */
import { preference, readPreference, writePreference } from '../ui/primitives/preferences.ts';
import { doorway } from './client.ts';
import { becomeIdentity, currentIdentity, type Me } from './identity.ts';
import { queries } from './queries.ts';
import { onRefused } from './refused.ts';

/** Reads the signed-in user. Skipped when nobody ever signed in here, because the request would only be refused. */
export async function findOutWho(): Promise<void> {
  const capabilities = await doorway.platform.capabilities().catch(() => null);
  // Every screen reports an unreachable gateway, and its first refusal leads back here.
  if (capabilities === null) return becomeIdentity({ phase: 'open' });
  queries.setQueryData(['capabilities'], capabilities);
  if (capabilities.endpoints.auth !== true) return becomeIdentity({ phase: 'open' });
  if (!readPreference(preference.hasSignedIn)) return becomeIdentity({ phase: 'signed-out', isOver: false });
  await askMe();
}

async function askMe(): Promise<void> {
  const before = currentIdentity();
  try {
    const { data } = await doorway.auth.me();
    const appId = before.phase === 'signed-in' ? appOf(data) : (appInAddress(data) ?? appOf(data));
    // The selected app is gone, so its data is invalid.
    if (before.phase === 'signed-in' && before.appId !== null && before.appId !== appId) return beginAnew('#/traces');
    becomeIdentity({ phase: 'signed-in', me: data, appId });
  } catch {
    writePreference(preference.hasSignedIn, false);
    queries.clear();
    becomeIdentity({ phase: 'signed-out', isOver: before.phase === 'signed-in' });
  }
}

/** Last selected app if it exists; else the oldest, which is listed last. */
function appOf({ apps }: Me): string | null {
  const last = readPreference(preference.app);
  return (apps.find(({ id }) => id === last) ?? apps.at(-1))?.id ?? null;
}

/** App in the address, for shared links. It becomes the selected app. */
function appInAddress({ apps }: Me): string | null {
  const said = /[?&]app=([\w-]+)/.exec(window.location.hash)?.[1];
  const named = apps.find(({ id }) => id === said)?.id ?? null;
  if (named !== null) writePreference(preference.app, named);
  return named;
}

/** Screens ask many things at once: all their refusals are one. */
let isAsking = false;
onRefused(async () => {
  if (isAsking || currentIdentity().phase === 'signed-out') return;
  isAsking = true;
  await findOutWho();
  isAsking = false;
});

const beginAnew = (hash?: string): void => {
  if (hash !== undefined) window.location.hash = hash;
  window.location.reload();
};

/** Page after a failed sign-in with a provider. It is never a target after sign-in. */
export const isSignInPage = (hash: string): boolean => hash === '#/sign-in' || hash.startsWith('#/sign-in?');

/** Never resolves when it succeeds: the page is loaded again. */
export async function signIn(email: string, password: string): Promise<void> {
  await doorway.auth.login({ body: { email, password } });
  writePreference(preference.hasSignedIn, true);
  beginAnew(isSignInPage(window.location.hash) ? '#/traces' : undefined);
}

/** Like `signIn`, for an invited user. */
export async function join(code: string, password: string): Promise<void> {
  await doorway.auth.join({ body: { code, password } });
  writePreference(preference.hasSignedIn, true);
  beginAnew('#/traces');
}

/** Leaves the page for the identity provider, which leads back to where it was. */
export function signInElsewhere(): void {
  writePreference(preference.hasSignedIn, true);
  const page = window.location.hash;
  window.location.assign(
    `/v1/auth/openid?${new URLSearchParams({ return_to: page.startsWith('#/') && !isSignInPage(page) ? page : '#/' })}`,
  );
}

export async function signOut(): Promise<void> {
  await doorway.auth.logout();
  writePreference(preference.hasSignedIn, false);
  beginAnew('#/');
}

/** @param at target page, because the current one shows data of the other app */
export function enterApp(appId: string, at = '#/traces'): void {
  writePreference(preference.app, appId);
  beginAnew(at);
}

export async function enterTenant(tenantId: string): Promise<void> {
  await doorway.auth.enter({ body: { tenant_id: tenantId } });
  beginAnew('#/traces');
}

/** After something of the tenant, or of who is signed in, has changed. */
export const lookAgain = (): Promise<void> => askMe();
