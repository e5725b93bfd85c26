import { useLocation, useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { idMax, pageMax, selectionMax, type WindowPointer, type WindowView } from '../../shared/contract/viewer/viewer-windows.ts';
import { type Sharing, shareWindow } from '../api/shared-window.ts';
import { parseSearch } from '../model/filter/search-string.ts';
import { Button } from '../ui/primitives/button.tsx';
import { Text } from '../ui/primitives/text.tsx';
import { history } from './place.ts';

/** Reports what the window shows, and opens what coding agents point at. */
export function SharedWindow() {
  const shared = useRef<Sharing | null>(null);
  const navigate = useNavigate();
  const [pointer, setPointer] = useState<WindowPointer | null>(null);
  const page = useLocation({ select: ({ href }) => href });
  useEffect(() => {
    const own = shareWindow((next) => {
      setPointer(next);
      const search = next.span_id === null ? {} : { span: next.span_id };
      void navigate({ to: '/traces/$traceId', params: { traceId: next.trace_id }, search });
    });
    shared.current = own;
    return own.stop;
  }, [navigate]);
  useEffect(() => {
    const report = () => shared.current?.show(viewOf(page));
    report();
    document.addEventListener('selectionchange', report);
    window.addEventListener('focus', report);
    return () => {
      document.removeEventListener('selectionchange', report);
      window.removeEventListener('focus', report);
    };
  }, [page]);
  return pointer && <Pointed note={pointer.note} onHide={() => setPointer(null)} />;
}

/** @param page path and query, as the router has them */
function viewOf(page: string): WindowView {
  const { pathname, search } = history.location;
  const { peek, turn, span } = parseSearch(search);
  const inPath = /^\/traces\/([^/]+)$/.exec(pathname)?.[1];
  const trace_id = inPath === undefined ? idOf(peek ?? turn) : decodeURIComponent(inPath);
  const selection = (document.getSelection()?.toString() ?? '').slice(0, selectionMax).toWellFormed();
  return { page: page.slice(0, pageMax), trace_id, span_id: trace_id === null ? null : idOf(span), selection };
}

const idOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value.slice(0, idMax) : null);

const Pointed = ({ note, onHide }: { note: string; onHide: () => void }) => (
  <section
    aria-label="A coding agent shows you this"
    className="flex shrink-0 items-start gap-3 border-line border-b bg-raised px-pad py-2"
  >
    <p role="status" className="wrap-anywhere min-w-0 flex-1">
      <Text strong>A coding agent shows you this: </Text>
      <Text>{note}</Text>
    </p>
    <span className="flex shrink-0 gap-2">
      <Button
        onClick={() => {
          onHide();
          history.back();
        }}
      >
        Back
      </Button>
      <Button onClick={onHide}>Hide</Button>
    </span>
  </section>
);
