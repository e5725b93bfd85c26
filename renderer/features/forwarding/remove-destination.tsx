import type { Destination } from '../../../shared/contract/operations/destination.ts';
import { refusalOf } from '../../api/refusal.ts';
import { plural } from '../../model/text/format.ts';
import { ConfirmDialog } from '../../ui/overlays/confirm-dialog.tsx';
import { useRemove } from './forwarding-query.ts';

/** Confirmation to remove a destination and its key. */
export function RemoveDestination({ destination: { name, waiting }, onClose }: { destination: Destination; onClose: () => void }) {
  const remove = useRemove(name);
  return (
    <ConfirmDialog
      title={`Remove ${name}?`}
      action="Remove destination"
      isBusy={remove.isPending}
      problem={refusalOf(remove.error).whole}
      onConfirm={() => remove.mutate(null, { onSuccess: onClose })}
      onClose={onClose}
    >
      <p>
        Nothing more is sent there, and its key is deleted from this machine. Traces stay here, and data already sent stays there.
        {waiting.spans > 0 && ` ${plural(waiting.spans, 'waiting span')} will not be sent.`}
      </p>
      <p>To invalidate the key everywhere, revoke it in the cloud.</p>
    </ConfirmDialog>
  );
}
