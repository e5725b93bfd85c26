import { Link2 } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { useMayShare } from '../../../api/share-links.ts';
import { IconButton } from '../../../ui/primitives/button.tsx';
import { Icon } from '../../../ui/primitives/icon.tsx';

const ShareDialog = lazy(() => import('./share-dialog.tsx').then((module) => ({ default: module.ShareDialog })));

/** Button that makes links to the trace for people without an account. */
export function ShareMenu({ traceId }: { traceId: string }) {
  const [isOpen, setOpen] = useState(false);
  if (!useMayShare()) return null;
  return (
    <>
      <IconButton label="Share a link…" onClick={() => setOpen(true)}>
        <Icon of={Link2} />
      </IconButton>
      {isOpen && (
        <Suspense fallback={null}>
          <ShareDialog traceId={traceId} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
