import { CopyIcon } from '../primitives/copy-button.tsx';

/** Code with a button that copies it. */
export function CodeBlock({ code, label }: { code: string; label: string }) {
  return (
    <div className="flex min-w-0 items-start rounded-control border border-line bg-panel">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard */}
      <pre tabIndex={0} className="min-w-0 flex-1 overflow-x-auto whitespace-pre p-2 font-mono text-row">
        {code}
      </pre>
      <CopyIcon text={() => code} label={`Copy ${label}`} />
    </div>
  );
}
