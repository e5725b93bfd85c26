import { Link } from '@tanstack/react-router';
import type { Capabilities } from '../../shared/contract/core/platform.ts';
import { damageText } from '../model/text/damage-words.ts';
import { exactly, when } from '../model/time/time.ts';
import { Button } from '../ui/primitives/button.tsx';
import { Text } from '../ui/primitives/text.tsx';

interface DamageNoticeProps {
  damaged: NonNullable<Capabilities['damaged']>;
  /** Whether the reader operates the gateway. */
  isOperator: boolean;
  onHide(): void;
}

/** Damage notice: since when, what still works, and what to do. */
export function DamageNotice({ damaged, isOperator, onHide }: DamageNoticeProps) {
  return (
    <section aria-label="The store is damaged" className="flex shrink-0 items-start gap-3 border-line border-b bg-err-bg px-4 py-2">
      <p role="status" className="min-w-0 flex-1">
        <Text tone="err" strong>
          The store is damaged
        </Text>{' '}
        <Text title={exactly(damaged.since)}>{`since ${when(damaged.since)}: ${damageText(damaged)}.`}</Text>{' '}
        <Text tone="quiet">
          Everything else can be read, and new spans are stored. Data that cannot be read is left out of lists or marked.{' '}
          {isOperator ? (
            <>
              Run <code className="font-mono">glasshouse doctor</code>, which says what to do; a backup restores the lost data.
            </>
          ) : (
            'Tell the operator of this gateway: a backup restores the lost data.'
          )}
        </Text>
      </p>
      <span className="flex shrink-0 gap-2">
        {isOperator && (
          <Link
            to="/storage"
            className="inline-flex h-control items-center rounded-control border border-line-2 px-2 text-fg-2 text-row hover:bg-hover"
          >
            Details
          </Link>
        )}
        <Button onClick={onHide}>Hide</Button>
      </span>
    </section>
  );
}
