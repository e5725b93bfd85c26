import clsx from 'clsx';
import { useState } from 'react';
import { count } from '../model/format.ts';
import { LongText } from './long-text.tsx';

/** Children drawn at once. The rest come a page at a time, so that a list of a million costs what a list of a hundred does. */
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

function Branch({ name, value, depth, open }: { name: string | null; value: object; depth: number; open: number }) {
  const [isOpen, setOpen] = useState(depth < open);
  const [shown, setShown] = useState(pageSize);
  const keys = Object.keys(value);
  return (
    <div>
      <button type="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)} className="flex items-baseline gap-1 text-left text-fg-3 hover:text-fg">
        <span aria-hidden="true" className="w-3 shrink-0">
          {isOpen ? '▾' : '▸'}
        </span>
        {name !== null && <span className="wrap-anywhere text-fg-2">{name}</span>}
        <span>{size(value)}</span>
      </button>
      {isOpen && (
        <div className="ml-1 border-line border-l pl-2">
          {keys.slice(0, shown).map((key) => (
            <Entry key={key} name={key} value={(value as Record<string, unknown>)[key]} depth={depth + 1} open={open} />
          ))}
          {keys.length > shown && (
            <button type="button" onClick={() => setShown(shown + pageSize * 5)} className="text-accent">
              {`Show more of ${count(keys.length)}, ${count(keys.length - shown)} hidden`}
            </button>
          )}
        </div>
      )}
    </div>
  );
}

function Entry({ name, value, depth, open }: { name: string; value: unknown; depth: number; open: number }) {
  if (isBranch(value)) return <Branch name={name} value={value} depth={depth} open={open} />;
  const isBlock = typeof value === 'string' && (value.includes('\n') || value.length > 200);
  return (
    <div className={clsx('flex items-baseline gap-2 pl-4', isBlock && 'flex-wrap')}>
      <span className="wrap-anywhere shrink-0 text-fg-2">{name}</span>
      <div className="min-w-0">
        <Leaf value={value} />
      </div>
    </div>
  );
}

/** JSON as a tree, open to a depth. Every value is a text node. */
export function JsonView({ value, open = 2 }: { value: unknown; open?: number }) {
  return (
    <div className="font-mono text-row">
      {isBranch(value) ? <Branch name={null} value={value} depth={0} open={open} /> : <Leaf value={value} />}
    </div>
  );
}
