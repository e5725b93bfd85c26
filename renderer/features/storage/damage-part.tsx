import type { Storage } from '../../../shared/contract/viewer/viewer-storage.ts';
import { damageText } from '../../model/text/damage-words.ts';
import { exactly } from '../../model/time/time.ts';
import { CopyIcon } from '../../ui/primitives/copy-button.tsx';
import { Text } from '../../ui/primitives/text.tsx';
import { CodeBlock } from '../../ui/viewers/code-block.tsx';

/** Known damage of this store, and how to repair it. */
export function DamagePart({ damage, folder }: { damage: NonNullable<Storage['damage']>; folder: string }) {
  return (
    <section aria-label="Damage" className="grid gap-2">
      <Text as="h2" size="section" strong>
        Damage
      </Text>
      <Text as="p" tone="err">{`Since ${exactly(damage.since)}: ${damageText(damage)}.`}</Text>
      <Text as="p" tone="quiet" className="wrap-anywhere">{`Last error: ${damage.last}`}</Text>
      <Text as="p" tone="quiet">
        Check the disk first: a store is mostly damaged by hardware, or by a program that copied it while it was in use. Then stop the
        gateway, make a copy of its folder, and run:
      </Text>
      <CodeBlock code={`glasshouse doctor --data "${folder}" --repair`} label="the command" />
      <Text as="p" tone="quiet">
        It repairs indexes and totals, and lists what only a backup can restore.
      </Text>
      {damage.kept.map((folderPath) => (
        <span key={folderPath} className="flex items-center gap-2">
          <Text tone="quiet">Kept unchanged:</Text>
          <Text mono tone="dim" className="wrap-anywhere">
            {folderPath}
          </Text>
          <CopyIcon text={() => folderPath} label="Copy folder path" />
        </span>
      ))}
    </section>
  );
}
