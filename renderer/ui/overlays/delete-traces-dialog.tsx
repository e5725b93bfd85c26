import { count as inWords, plural } from '../../model/text/format.ts';
import { Text } from '../primitives/text.tsx';
import { ConfirmDialog } from './confirm-dialog.tsx';

interface DeleteTracesDialogProps {
  /** What was chosen, such as `the session chat-1`. */
  of: string;
  /** Undefined until counted. */
  count: { traces: number; spans: number; forwarded: readonly { name: string; traces: number }[] } | undefined;
  isBusy: boolean;
  problem: string | null;
  onConfirm: () => void;
  onClose: () => void;
}

/** Confirmation to delete traces: how many, and what stays elsewhere. */
export const DeleteTracesDialog = ({ of, count, isBusy, problem, onConfirm, onClose }: DeleteTracesDialogProps) => (
  <ConfirmDialog
    title={`Delete ${of}?`}
    action={isBusy ? 'Deleting…' : count ? `Delete ${plural(count.traces, 'trace')}` : 'Delete'}
    isBusy={isBusy}
    isBlocked={count === undefined || count.traces === 0}
    problem={problem}
    onConfirm={onConfirm}
    onClose={onClose}
  >
    {count ? (
      <p>
        {count.traces === 0
          ? 'No trace matches any more.'
          : `${plural(count.traces, 'trace')} with ${plural(count.spans, 'span')} and all scores on them will be deleted. This cannot be undone.`}
      </p>
    ) : (
      problem === null && <Text tone="dim">Counting…</Text>
    )}
    {count?.forwarded.map(({ name, traces }) => (
      <p
        key={name}
      >{`${inWords(traces)} of ${inWords(count.traces)} ${traces === 1 ? 'was' : 'were'} forwarded to ${name}, where ${traces === 1 ? 'it stays' : 'they stay'}.`}</p>
    ))}
    {count !== undefined && count.traces > 0 && <p>Dataset rows that were made from them stay.</p>}
  </ConfirmDialog>
);
