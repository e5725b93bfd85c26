import { type ReactNode, Suspense, useSyncExternalStore } from 'react';
import { invitationLinks, resetLinks } from '../../shared/code-links.ts';
import { useIdentity } from '../api/identity.ts';
import { lazyComponent } from '../api/lazy-component.tsx';
import { sharedToken } from '../model/setup/shared-link.ts';

const SignInScreen = lazyComponent(async () => (await import('../features/sign-in/sign-in-screen.tsx')).SignInScreen);
const SharedScreen = lazyComponent(async () => (await import('../features/trace/shared/shared-screen.tsx')).SharedScreen);
const JoinScreen = lazyComponent(async () => (await import('../features/sign-in/join-screen.tsx')).JoinScreen);
const ResetScreen = lazyComponent(async () => (await import('../features/sign-in/reset-screens.tsx')).ResetScreen);
const NoAppScreen = lazyComponent(async () => (await import('../features/sign-in/no-app-screen.tsx')).NoAppScreen);

/** As it was opened. The router, which has no page for links with codes, replaces it when one is opened by somebody who is signed in. */
let openedHash = window.location.hash;

function watchAddress(onChange: () => void): () => void {
  const note = ({ newURL }: HashChangeEvent) => {
    openedHash = new URL(newURL).hash;
    onChange();
  };
  window.addEventListener('hashchange', note);
  return () => window.removeEventListener('hashchange', note);
}

/** Waits for the identity before any request. The address stays, as the page after sign-in. */
export function Gate({ children }: { children: ReactNode }) {
  const identity = useIdentity();
  const hash = useSyncExternalStore(watchAddress, () => openedHash);
  const token = sharedToken(hash);
  // Before the identity is known, because a link needs none.
  if (token !== null)
    return (
      <Suspense fallback={null}>
        <SharedScreen key={token} token={token} />
      </Suspense>
    );
  if (identity.phase === 'asking') return null;
  if (identity.phase !== 'open' && resetLinks.is(hash))
    return (
      <Suspense fallback={null}>
        <ResetScreen key={hash} hash={hash} />
      </Suspense>
    );
  if (identity.phase === 'signed-out')
    return (
      <Suspense fallback={null}>
        {invitationLinks.is(hash) ? <JoinScreen key={hash} hash={hash} /> : <SignInScreen isExpired={identity.isOver} />}
      </Suspense>
    );
  if (identity.phase === 'signed-in' && identity.appId === null)
    return (
      <Suspense fallback={null}>
        <NoAppScreen me={identity.me} />
      </Suspense>
    );
  return children;
}
