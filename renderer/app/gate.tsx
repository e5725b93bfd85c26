import { lazy, type ReactNode, Suspense } from 'react';
import { useIdentity } from '../api/identity.ts';
import { isInvitation } from '../model/invitation-link.ts';

const SignInScreen = lazy(() => import('../features/sign-in/sign-in-screen.tsx').then((module) => ({ default: module.SignInScreen })));
const JoinScreen = lazy(() => import('../features/sign-in/join-screen.tsx').then((module) => ({ default: module.JoinScreen })));
const NoAppScreen = lazy(() => import('../features/sign-in/no-app-screen.tsx').then((module) => ({ default: module.NoAppScreen })));

/** Nothing is asked before it is known who asks. The address stays as it is: it is where whoever has signed in goes on. */
export function Gate({ children }: { children: ReactNode }) {
  const identity = useIdentity();
  if (identity.phase === 'asking') return null;
  if (identity.phase === 'signed-out')
    return (
      <Suspense fallback={null}>{isInvitation(window.location.hash) ? <JoinScreen /> : <SignInScreen isOver={identity.isOver} />}</Suspense>
    );
  if (identity.phase === 'signed-in' && identity.appId === null)
    return (
      <Suspense fallback={null}>
        <NoAppScreen me={identity.me} />
      </Suspense>
    );
  return children;
}
