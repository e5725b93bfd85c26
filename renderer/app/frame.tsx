import { Outlet, useNavigate, useSearch } from '@tanstack/react-router';
import { Suspense, useEffect, useState } from 'react';
import { useConnection } from '../api/gateway-live.ts';
import { lazyComponent } from '../api/lazy-component.tsx';
import { prefetchAll } from '../api/prefetch.ts';
import { closeAct, useChosenPlaces } from '../ui/overlays/chosen-places.ts';
import { WaitingDialog } from '../ui/overlays/dialog.tsx';
import { KeySheet } from '../ui/overlays/key-sheet.tsx';
import { usePalette } from '../ui/overlays/palette.ts';
import { useKeys } from '../ui/primitives/keys.tsx';
import { preference, usePreference } from '../ui/primitives/preferences.ts';
import { BudgetBanner } from './budget-banner.tsx';
import { ConnectionBanner } from './connection-banner.tsx';
import { DamageBanner } from './damage-banner.tsx';
import { usePages } from './pages.ts';
import { PaletteLayer } from './palette-layer.tsx';
import { PlaceNotice } from './place-notice.tsx';
import { RunawayBanner } from './runaway-banner.tsx';
import { Sidebar } from './sidebar.tsx';
import { WindowSharing } from './window-sharing.tsx';

const DatasetDialog = lazyComponent(async () => (await import('../features/datasets/add-dialog.tsx')).AddDialog);
const CommentDialog = lazyComponent(async () => (await import('../features/comments/comment-dialog.tsx')).CommentDialog);
const ScoreDialog = lazyComponent(async () => (await import('../features/scores/score-dialog.tsx')).ScoreDialog);
const TagDialog = lazyComponent(async () => (await import('../features/tags/tag-dialog.tsx')).TagDialog);
const QueueDialog = lazyComponent(async () => (await import('../features/queues/add-dialog.tsx')).AddDialog);
/** The remaining code is loaded after the first screen. */
const prefetchDelayMs = 1500;

/** Frame around all screens: sidebar, global keys and state of the gateway. */
export function Frame() {
  const [isSheetOpen, setSheetOpen] = useState(false);
  const connection = useConnection();
  const navigate = useNavigate();
  const palette = usePalette();
  const pages = usePages();
  const [isFolded, setFolded] = usePreference(preference.isSidebarFolded);
  const fold = () => setFolded(!isFolded);
  // A trace in its own window needs no navigation.
  const isOwnWindow = useSearch({ strict: false, select: (search) => 'window' in search && search.window !== undefined });
  useEffect(() => {
    const timer = setTimeout(() => void prefetchAll(), prefetchDelayMs);
    return () => clearTimeout(timer);
  }, []);
  // The frame is mounted after the screen in it.
  useKeys(
    'Everywhere',
    [
      { on: ['Mod+k'], label: 'Commands', run: palette.open },
      { on: ['?'], label: 'All keys', run: () => setSheetOpen(true) },
      { on: ['['], label: 'Fold the sidebar', run: fold },
      ...pages.map(({ to, label, letter }) => ({
        on: [`g ${letter}`],
        label: `Go to ${label.toLowerCase()}`,
        run: () => void navigate({ to }),
      })),
    ],
    { isLast: true },
  );
  return (
    <div className="flex h-full">
      {!isOwnWindow && <Sidebar connection={connection} isFolded={isFolded} onFold={fold} onKeys={() => setSheetOpen(true)} />}
      <main className="flex min-h-0 min-w-0 flex-1 flex-col">
        <DamageBanner />
        <RunawayBanner />
        <BudgetBanner />
        <PlaceNotice />
        <WindowSharing />
        <Outlet />
      </main>
      <ConnectionBanner connection={connection} />
      {palette.isOpen && <PaletteLayer onClose={palette.close} />}
      <ActDialog />
      <KeySheet isOpen={isSheetOpen} onClose={() => setSheetOpen(false)} />
    </div>
  );
}

/** The dialog of the chosen act. */
function ActDialog() {
  const chosen = useChosenPlaces();
  if (chosen === null) return null;
  const { id, act, places } = chosen;
  const close = () => closeAct(id);
  return (
    // Modal from the start, so that what is typed before the code has loaded does not reach the keys of the page.
    <Suspense key={id} fallback={<WaitingDialog label="Loading" onClose={close} />}>
      {act === 'dataset' && <DatasetDialog sources={places} onClose={close} />}
      {act === 'queue' && <QueueDialog places={places} onClose={close} />}
      {act === 'score' && <ScoreDialog places={places} onClose={close} />}
      {act === 'comment' && <CommentDialog places={places} onClose={close} />}
      {act === 'tag' && <TagDialog places={places} onClose={close} />}
    </Suspense>
  );
}
