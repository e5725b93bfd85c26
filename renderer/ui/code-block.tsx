import { CopyIcon } from './copy-button.tsx';
import { LongText } from './long-text.tsx';

/** What a program wrote or reads, with a button that takes all of it. */
export function CodeBlock({ code, label }: { code: string; label: string }) {
  return (
    <div className="relative rounded-control border border-line bg-panel">
      <div className="absolute top-0 right-0">
        <CopyIcon text={() => code} label={`Copy ${label}`} />
      </div>
      <pre className="overflow-x-auto p-2 pr-8">
        <LongText text={code} mono />
      </pre>
    </div>
  );
}
