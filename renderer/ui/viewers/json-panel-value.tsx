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

const firstChars = 20_000;
const allChars = Number.MAX_SAFE_INTEGER;

/** The selected value with its path, loaded in parts. */
export function JsonPanelValue({ at, read, onClose }: ValueProps) {
  const [value, setValue] = useState<{ path: string; text: string; size: number } | null>(null);
  const [sizeMax, setSizeMax] = useState(firstChars);
  useEffect(() => {
    let isOutdated = false;
    read(at, 0, sizeMax).then(
      (result) => !isOutdated && setValue(result),
      () => {},
    );
    return () => {
      isOutdated = true;
    };
  }, [at, read, sizeMax]);
  if (!value) return null;
  return (
    <section aria-label="Selected value" className="flex max-h-2/5 shrink-0 flex-col border-line border-t bg-panel">
      <header className="flex min-h-row items-center gap-1 pl-2.5">
        <Text mono tone="quiet" cut title={value.path} className="flex-1">
          {value.path}
        </Text>
        <CopyIcon text={() => value.path} label="Copy path" />
        <CopyIcon text={async () => (await read(at, 0, allChars)).text} label="Copy value" />
        <IconButton label="Close the value" onClick={onClose}>
          <Icon of={X} size="small" />
        </IconButton>
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard */}
      <div tabIndex={0} className="min-h-0 overflow-y-auto px-2.5 pb-2">
        <pre className="wrap-anywhere whitespace-pre-wrap font-mono text-row">{value.text}</pre>
        {value.text.length < value.size && (
          <FoldLine
            onClick={() => setSizeMax(sizeMax * 4)}
          >{`${count(value.size - value.text.length)} more characters — show more`}</FoldLine>
        )}
      </div>
    </section>
  );
}
