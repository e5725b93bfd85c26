import { Outlet, useNavigate, useSearch } from '@tanstack/react-router';
import { Suspense, useEffect, useState } from 'react';
import { useConnection } from '../api/gateway-live.ts';
import { lazyComponent } from '../api/lazy-component.tsx';
import { prefetchAll } from '../api/prefetch.ts';
import { closeAct, useChosenPlaces } from '../ui/overlays/chosen-places.ts';
import { KeySheet } from '../ui/overlays/key-sheet.tsx';
import { usePalette } from '../ui/overlays/palette.ts';
import { useKeys } from '../ui/primitives/keys.tsx';
import { preference, usePreference } from '../ui/primitives/preferences.ts';
import { ConnectionBanner } from './connection-banner.tsx';
import { DamageBanner } from './damage-banner.tsx';
import { usePages } from './pages.ts';
import { PlaceNotice } from './place-notice.tsx';
import { Sidebar } from './sidebar.tsx';

const DatasetDialog = lazyComponent(async () => (await import('../features/datasets/add-dialog.tsx')).AddDialog);
const CommentDialog = lazyComponent(async () => (await import('../features/comments/comment-dialog.tsx')).CommentDialog);
const ScoreDialog = lazyComponent(async () => (await import('../features/scores/score-dialog.tsx')).ScoreDialog);
const TagDialog = lazyComponent(async () => (await import('../features/tags/tag-dialog.tsx')).TagDialog);
const QueueDialog = lazyComponent(async () => (await import('../features/queues/add-dialog.tsx')).AddDialog);
const PaletteLayer = lazyComponent(async () => (await import('./palette-layer.tsx')).PaletteLayer);
/** The remaining code is loaded after the first screen, so that the command palette opens without delay. */
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
  useKeys('Everywhere', [
    { on: ['Mod+k'], label: 'Commands', run: palette.open },
    { on: ['?'], label: 'All keys', run: () => setSheetOpen(true) },
    { on: ['['], label: 'Fold the sidebar', run: fold },
    ...pages.map(({ to, label, letter }) => ({
      on: [`g ${letter}`],
      label: `Go to ${label.toLowerCase()}`,
      run: () => void navigate({ to }),
    })),
  ]);
  return (
    <div className="flex h-full">
      {!isOwnWindow && <Sidebar connection={connection} isFolded={isFolded} onFold={fold} onKeys={() => setSheetOpen(true)} />}
      <main className="flex min-h-0 min-w-0 flex-1 flex-col">
        <DamageBanner />
        <PlaceNotice />
        <Outlet />
      </main>
      <ConnectionBanner connection={connection} />
      {palette.isOpen && (
        <Suspense fallback={null}>
          <PaletteLayer onClose={palette.close} />
        </Suspense>
      )}
      <ActDialog />
      <KeySheet isOpen={isSheetOpen} onClose={() => setSheetOpen(false)} />
    </div>
  );
}

/** The dialog of the chosen act. */
function ActDialog() {
  const chosen = useChosenPlaces();
  if (chosen === null) return null;
  const { act, places } = chosen;
  return (
    <Suspense fallback={null}>
      {act === 'dataset' && <DatasetDialog sources={places} onClose={closeAct} />}
      {act === 'queue' && <QueueDialog places={places} onClose={closeAct} />}
      {act === 'score' && <ScoreDialog places={places} onClose={closeAct} />}
      {act === 'comment' && <CommentDialog places={places} onClose={closeAct} />}
      {act === 'tag' && <TagDialog places={places} onClose={closeAct} />}
    </Suspense>
  );
}
