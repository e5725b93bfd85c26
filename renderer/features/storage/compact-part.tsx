import type { Compaction, Storage } from '../../../shared/contract/viewer/viewer-storage.ts';
import { refusalOf } from '../../api/refusal.ts';
import { bytes, percent } from '../../model/text/format.ts';
import { Button } from '../../ui/primitives/button.tsx';
import { Text } from '../../ui/primitives/text.tsx';
import { useCompact } from './storage-query.ts';

/** Compaction of the database file. */
export function CompactPart({ storage }: { storage: Storage }) {
  const compact = useCompact('compact');
  const cancel = useCompact('cancelCompaction');
  const { compaction } = storage;
  const isRunning = compaction?.state === 'running';
  const { whole: refused } = refusalOf(compact.error ?? cancel.error);
  return (
    <section aria-label="Compaction" className="grid gap-2">
      <Text as="h2" size="section" strong>
        Compaction
      </Text>
      <Text as="p" tone="dim">
        {`The space of removed traces is reused before the file grows. ${bytes(storage.reusable_bytes)} could be returned to the disk now. Compaction takes a while; spans are accepted as usual meanwhile.`}
      </Text>
      {isRunning && <Progress compaction={compaction} />}
      <div className="flex items-center gap-2">
        {isRunning ? (
          <Button aria-busy={cancel.isPending} onClick={() => !cancel.isPending && cancel.mutate()}>
            Stop
          </Button>
        ) : (
          <Button aria-busy={compact.isPending} onClick={() => !compact.isPending && compact.mutate()}>
            Compact database
          </Button>
        )}
        {compaction && !isRunning && <Outcome compaction={compaction} size={storage.database_bytes} />}
      </div>
      {refused && (
        <p role="alert" className="text-err text-row">
          {refused}
        </p>
      )}
    </section>
  );
}

function Progress({ compaction: { phase, part, freed_bytes, left_bytes } }: { compaction: Compaction }) {
  const progress =
    phase === 'names'
      ? `Step 1 of 2: finding names that no trace uses any more, ${percent(part)}`
      : `Step 2 of 2: ${bytes(freed_bytes)} returned to the disk, ${bytes(left_bytes)} to go`;
  return (
    <div className="grid gap-1">
      <progress
        aria-label="Compaction"
        value={part}
        max={1}
        className="h-bar w-full appearance-none overflow-hidden rounded-pill bg-raised [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-raised [&::-webkit-progress-value]:bg-accent"
      />
      <Text as="p" tone="dim">
        <span className="num">{progress}</span>
      </Text>
    </div>
  );
}

function Outcome({ compaction: { state, freed_bytes, problem }, size }: { compaction: Compaction; size: number }) {
  const freed = `${bytes(freed_bytes)} returned to the disk`;
  if (state === 'done') return <Text tone="ok">{`Done: ${freed}. The database takes ${bytes(size)}.`}</Text>;
  if (state === 'stopped') return <Text tone="dim">{`Stopped: ${freed}.`}</Text>;
  if (state === 'failed') return <Text tone="err">{`Not finished: ${freed}. ${problem ?? ''}`}</Text>;
  return (
    <Text tone="warm">
      {`${freed}. The file is rewritten when the gateway next starts, because an earlier version created it or because traces were deleted. That takes some seconds per gigabyte, and disk space for two more copies.`}
    </Text>
  );
}
