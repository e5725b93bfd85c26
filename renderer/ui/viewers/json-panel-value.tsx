import { X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { count } from '../../model/text/format.ts';
import { IconButton } from '../primitives/button.tsx';
import { CopyIcon } from '../primitives/copy-button.tsx';
import { Icon } from '../primitives/icon.tsx';
import { Text } from '../primitives/text.tsx';
import { FoldLine } from './long-text.tsx';

interface ValueProps {
  at: number;
  read: (at: number, from: number, to: number) => Promise<{ path: string; text: string; size: number }>;
  onClose: () => void;
}

const pieceChars = 20_000;
const whole = Number.MAX_SAFE_INTEGER;

/** The chosen value in full, a piece at a time, with its path. */
export function JsonPanelValue({ at, read, onClose }: ValueProps) {
  const [value, setValue] = useState<{ path: string; text: string; size: number } | null>(null);
  const [wanted, setWanted] = useState(pieceChars);
  useEffect(() => {
    let isOld = false;
    read(at, 0, wanted).then(
      (found) => !isOld && setValue(found),
      () => {},
    );
    return () => {
      isOld = true;
    };
  }, [at, read, wanted]);
  if (!value) return null;
  return (
    <section aria-label="Selected value" className="flex max-h-2/5 shrink-0 flex-col border-line border-t bg-panel">
      <header className="flex min-h-row items-center gap-1 pl-2.5">
        <Text mono tone="quiet" cut title={value.path} className="flex-1">
          {value.path}
        </Text>
        <CopyIcon text={() => value.path} label="Copy path" />
        <CopyIcon text={async () => (await read(at, 0, whole)).text} label="Copy value" />
        <IconButton label="Close the value" onClick={onClose}>
          <Icon of={X} size="small" />
        </IconButton>
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be scrolled by keys */}
      <div tabIndex={0} className="min-h-0 overflow-y-auto px-2.5 pb-2">
        <pre className="wrap-anywhere whitespace-pre-wrap font-mono text-row">{value.text}</pre>
        {value.text.length < value.size && (
          <FoldLine
            onClick={() => setWanted(wanted * 4)}
          >{`${count(value.size - value.text.length)} more characters — show more`}</FoldLine>
        )}
      </div>
    </section>
  );
}
