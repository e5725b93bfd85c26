import clsx from 'clsx';
import { useState } from 'react';
import { count } from '../../model/text/format.ts';
import { LongText } from './long-text.tsx';

/** Children rendered at once; the others follow page by page, so that a list of a million costs as little as one of a hundred. */
const pageSize = 100;

const isBranch = (value: unknown): value is object => typeof value === 'object' && value !== null && Object.keys(value).length > 0;

function Leaf({ value }: { value: unknown }) {
  if (typeof value === 'string') {
    if (value.includes('\n') || value.length > 200) return <LongText text={value} mono />;
    return <span className="wrap-anywhere whitespace-pre-wrap text-fg">"{value}"</span>;
  }
  if (typeof value === 'object' && value !== null) return <span className="text-fg-3">{Array.isArray(value) ? '[]' : '{}'}</span>;
  return <span className="text-accent">{String(value)}</span>;
}

const size = (value: object) => (Array.isArray(value) ? `[${count(value.length)}]` : `{${count(Object.keys(value).length)}}`);

function Branch({ name, value, depth, open }: { name: string; value: object; depth: number; open: number }) {
  const [isOpen, setOpen] = useState(depth < open);
  return (
    <div>
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
        className="flex items-baseline gap-1 text-left text-fg-3 hover:text-fg"
      >
        <span aria-hidden="true" className="w-3 shrink-0">
          {isOpen ? '▾' : '▸'}
        </span>
        <span className="wrap-anywhere text-fg-2">{name}</span>
        <span>{size(value)}</span>
      </button>
      {isOpen && (
        <div className="ml-1 border-line border-l pl-2">
          <Entries value={value} depth={depth} open={open} />
        </div>
      )}
    </div>
  );
}

function Entries({ value, depth, open }: { value: object; depth: number; open: number }) {
  const [shown, setShown] = useState(pageSize);
  const keys = Object.keys(value);
  const entries = keys.slice(0, shown).map((key) => ({ key, child: (value as Record<string, unknown>)[key] }));
  // Leaves are indented to the names of branches if there are branches.
  const isMixed = entries.some(({ child }) => isBranch(child));
  return (
    <>
      {entries.map(({ key, child }) =>
        isBranch(child) ? (
          <Branch key={key} name={key} value={child} depth={depth + 1} open={open} />
        ) : (
          <Entry key={key} name={key} value={child} isMixed={isMixed} />
        ),
      )}
      {keys.length > shown && (
        <button type="button" onClick={() => setShown(shown + pageSize * 5)} className="text-accent">
          {`Show more of ${count(keys.length)}, ${count(keys.length - shown)} hidden`}
        </button>
      )}
    </>
  );
}

function Entry({ name, value, isMixed }: { name: string; value: unknown; isMixed: boolean }) {
  const isBlock = typeof value === 'string' && (value.includes('\n') || value.length > 200);
  return (
    <div className={clsx('flex items-baseline gap-2', isMixed && 'pl-4', isBlock && 'flex-wrap')}>
      <span className="wrap-anywhere max-w-1/2 shrink-0 text-fg-2">{name}</span>
      <div className="min-w-0">
        <Leaf value={value} />
      </div>
    </div>
  );
}

/** JSON as a tree, expanded to a depth. Every value is a text node. */
export function JsonView({ value, open = 2 }: { value: unknown; open?: number }) {
  return (
    <div className="font-mono text-row">{isBranch(value) ? <Entries value={value} depth={0} open={open} /> : <Leaf value={value} />}</div>
  );
}
