import { useEffect, useState, useSyncExternalStore } from 'react';
import type { DocumentSource } from '../../../api/document-tasks.ts';
import { OpenDocument } from '../../../api/open-document.ts';

const none = () => () => {};

/** Opens a large value while the component is mounted. Pass the same `source` object for the same value. */
export function useDocument(source: DocumentSource) {
  const [open, setOpen] = useState<OpenDocument | null>(null);
  useEffect(() => {
    const opened = new OpenDocument(source);
    setOpen(opened);
    return () => opened.close();
  }, [source]);
  const state = useSyncExternalStore(open?.watch ?? none, () => open?.state() ?? null);
  return { open, state };
}
