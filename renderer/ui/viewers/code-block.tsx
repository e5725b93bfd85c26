import { CopyIcon } from '../primitives/copy-button.tsx';

/** Code with a button that copies it. */
export function CodeBlock({ code, label }: { code: string; label: string }) {
  return (
    <div className="relative min-w-0 rounded-control border border-line bg-panel">
      <div className="absolute top-0 right-0">
        <CopyIcon text={() => code} label={`Copy ${label}`} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard */}
      <pre tabIndex={0} className="overflow-x-auto whitespace-pre p-2 pr-8 font-mono text-row">
        {code}
      </pre>
    </div>
  );
}
