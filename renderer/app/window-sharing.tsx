import { Suspense } from 'react';
import { lazyComponent } from '../api/lazy-component.tsx';
import { useServed } from '../api/served.ts';
import { preference, usePreference } from '../ui/primitives/preferences.ts';

/** Few windows are shared, so this is not in the main bundle. */
const SharedWindow = lazyComponent(async () => (await import('./shared-window.tsx')).SharedWindow);

/** What is needed while the user shares this window with coding agents. */
export function WindowSharing() {
  const isServed = useServed();
  const [isShared] = usePreference(preference.isWindowShared);
  if (!isShared || !isServed('viewer_windows')) return null;
  return (
    <Suspense fallback={null}>
      <SharedWindow />
    </Suspense>
  );
}
