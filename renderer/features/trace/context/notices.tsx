import type { ContextWindow } from '../../../../shared/contract/tracing/context-windows.ts';
import { contextNotices } from '../../../model/trace/context-notices.ts';
import { Text } from '../../../ui/primitives/text.tsx';

/** What the picture leaves out, and why. */
export function Notices({ window, isWhole }: { window: ContextWindow; isWhole: boolean }) {
  const notices = contextNotices(window, isWhole);
  if (notices.length === 0) return null;
  return (
    <div role="note" className="grid shrink-0 gap-0.5 border-line border-b bg-panel px-pad py-1.5">
      {notices.map((notice) => (
        <Text key={notice} tone="quiet">
          {notice}
        </Text>
      ))}
    </div>
  );
}
