import type { Destination } from '../../../shared/contract/operations/destination.ts';
import { refusalOf } from '../../api/refusal.ts';
import { plural } from '../../model/text/format.ts';
import { ConfirmDialog } from '../../ui/overlays/confirm-dialog.tsx';
import { useRemove } from './forwarding-query.ts';

/** Asks before the key is forgotten. */
export function RemoveDestination({ destination: { name, waiting }, onClose }: { destination: Destination; onClose: () => void }) {
  const remove = useRemove(name);
  return (
    <ConfirmDialog
      title={`Remove ${name}?`}
      action="Remove it"
      isBusy={remove.isPending}
      problem={refusalOf(remove.error).whole}
      onConfirm={() => remove.mutate(null, { onSuccess: onClose })}
      onClose={onClose}
    >
      <p>
        Nothing is sent there any more, and its key is forgotten on this machine. Traces stay here, and what was sent stays there.
        {waiting.spans > 0 && ` ${plural(waiting.spans, 'span')} that wait will not be sent.`}
      </p>
      <p>To make the key useless everywhere, revoke it in the cloud.</p>
    </ConfirmDialog>
  );
}
