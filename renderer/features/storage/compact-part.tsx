import { useState } from 'react';
import type { Storage } from '../../../shared/contract/viewer-storage.ts';
import { refusalOf } from '../../api/refusal.ts';
import { bytes } from '../../model/format.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Text } from '../../ui/text.tsx';
import { useCompact } from './storage-query.ts';

/** Gives back to the disk what nothing in the database takes. */
export function CompactPart({ storage }: { storage: Storage }) {
  const [isAsked, setIsAsked] = useState(false);
  const compact = useCompact();
  return (
    <section className="grid gap-2">
      <Text as="h2" size="section" strong>
        Make the file smaller
      </Text>
      <Text as="p" tone="dim">
        {`Room that removed traces took is filled again before the file grows. ${bytes(storage.reusable_bytes)} could go back to the disk now.`}
      </Text>
      <div className="flex items-center gap-2">
        <Button onClick={() => setIsAsked(true)}>Compact the database</Button>
        {compact.data && <Text tone="ok">{`Done: the database takes ${bytes(compact.data.database_bytes)}.`}</Text>}
      </div>
      {isAsked && (
        <ConfirmDialog
          title="Compact the database?"
          action={compact.isPending ? 'Compacting…' : 'Compact it'}
          isBusy={compact.isPending}
          problem={refusalOf(compact.error).whole}
          onConfirm={() => compact.mutate(undefined, { onSuccess: () => setIsAsked(false) })}
          onClose={() => setIsAsked(false)}
        >
          <p>
            The database is written anew without the gaps: some seconds for each gigabyte. Spans that are sent meanwhile wait; for a while
            the disk holds the database twice more. Names that no trace has any more are forgotten.
          </p>
        </ConfirmDialog>
      )}
    </section>
  );
}
