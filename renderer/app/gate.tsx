import { type ReactNode, Suspense } from 'react';
import { useIdentity } from '../api/identity.ts';
import { lazyComponent } from '../api/lazy-component.tsx';
import { isInvitation } from '../model/setup/invitation-link.ts';

const SignInScreen = lazyComponent(async () => (await import('../features/sign-in/sign-in-screen.tsx')).SignInScreen);
const JoinScreen = lazyComponent(async () => (await import('../features/sign-in/join-screen.tsx')).JoinScreen);
const NoAppScreen = lazyComponent(async () => (await import('../features/sign-in/no-app-screen.tsx')).NoAppScreen);

/** Waits for the identity before any request. The address stays, as the page after sign-in. */
export function Gate({ children }: { children: ReactNode }) {
  const identity = useIdentity();
  if (identity.phase === 'asking') return null;
  if (identity.phase === 'signed-out')
    return (
      <Suspense fallback={null}>
        {isInvitation(window.location.hash) ? <JoinScreen /> : <SignInScreen isExpired={identity.isOver} />}
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
