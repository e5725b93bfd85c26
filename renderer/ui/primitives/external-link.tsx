import { type ReactNode, useRef } from 'react';
import { Button } from './button.tsx';
import { CopyButton } from './copy-button.tsx';
import { Text } from './text.tsx';

const addressMax = 8192;

/** Parses an address that may be opened: http or https, without credentials. Null for everything else. */
export function webAddress(text: string): URL | null {
  if (text.length > addressMax) return null;
  const url = URL.parse(text.trim());
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return null;
  return url.username === '' && url.password === '' ? url : null;
}

/**
 * A link in trace text. It opens only after the reader has seen where it leads (the host as the
 * network knows it); an address that is not a web address cannot be opened.
 */
export function ExternalLink({ to, children }: { to: string; children: ReactNode }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const url = webAddress(to);
  if (!url) return <span title="This address cannot be opened from here">{children}</span>;
  const open = () => {
    dialog.current?.close();
    window.open(url.href, '_blank', 'noopener,noreferrer');
  };
  return (
    <>
      <button
        type="button"
        title={url.href}
        onClick={() => dialog.current?.showModal()}
        className="wrap-anywhere inline text-left text-accent underline decoration-line-2 underline-offset-2 hover:decoration-current"
      >
        {children}
      </button>
      <dialog
        ref={dialog}
        aria-label="Leave this page"
        className="enter-layer m-auto w-form rounded-card border border-line-2 bg-panel p-4 text-fg shadow-layer"
      >
        <Text as="h2" size="section" strong>{`Open ${url.host}?`}</Text>
        <Text as="p" size="body" tone="quiet" className="pt-1">
          This address comes from a message in the trace. Its owner learns when you open it.
        </Text>
        <Text as="p" mono className="wrap-anywhere max-h-image overflow-auto py-2">
          {url.href}
        </Text>
        <div className="flex gap-2">
          <Button primary onClick={open}>
            Open
          </Button>
          <CopyButton text={() => url.href} label="Copy address" />
          <Button onClick={() => dialog.current?.close()} hint="Esc">
            Cancel
          </Button>
        </div>
      </dialog>
    </>
  );
}
