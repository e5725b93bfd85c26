import { Outlet, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useConnection } from '../api/gateway-live.ts';
import { KeySheet } from '../ui/key-sheet.tsx';
import { useKeys } from '../ui/keys.tsx';
import { ConnectionBanner } from './connection-banner.tsx';
import { pages, Rail } from './rail.tsx';

/** What stays while screens change: the rail, the keys of every page, and how the gateway is. */
export function Frame() {
  const [isSheetOpen, setSheetOpen] = useState(false);
  const connection = useConnection();
  const navigate = useNavigate();
  useKeys('Everywhere', [
    { on: ['?'], label: 'Show this sheet', run: () => setSheetOpen(true) },
    ...pages.map(({ to, label, letter }) => ({
      on: [`g ${letter}`],
      label: `Go to ${label.toLowerCase()}`,
      run: () => void navigate({ to }),
    })),
  ]);
  return (
    <div className="flex h-full">
      <Rail connection={connection} onKeys={() => setSheetOpen(true)} />
      <main className="flex min-h-0 min-w-0 flex-1 flex-col">
        <Outlet />
      </main>
      <ConnectionBanner connection={connection} />
      <KeySheet isOpen={isSheetOpen} onClose={() => setSheetOpen(false)} />
    </div>
  );
}
