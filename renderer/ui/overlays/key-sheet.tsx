import { useEffect, useRef } from 'react';
import { desktopKeys } from '../../../shared/desktop-keys.ts';
import { Button } from '../primitives/button.tsx';
import { KeyCap } from '../primitives/key-cap.tsx';
import { keyLabel } from '../primitives/key-label.ts';
import { groupedBindings, useKeyScopes } from '../primitives/keys.tsx';
import { desktop } from '../primitives/preferences.ts';
import { Text } from '../primitives/text.tsx';

/** The list of shortcuts. A native dialog, which traps the focus and closes on Esc without code. */
export function KeySheet({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const scopes = useKeyScopes();
  useEffect(() => {
    if (isOpen) dialog.current?.showModal();
    else dialog.current?.close();
  }, [isOpen]);
  return (
    <dialog
      ref={dialog}
      onClose={onClose}
      aria-label="Keys"
      className="enter-layer m-auto w-sheet max-w-full rounded-card border border-line-2 bg-panel p-4 text-fg shadow-layer"
    >
      <div className="flex items-center justify-between pb-2">
        <Text as="h2" size="section" strong>
          Keys
        </Text>
        <Button onClick={onClose} hint="Esc">
          Close
        </Button>
      </div>
      <div className="gap-8 split:columns-2">
        {isOpen &&
          groupedBindings(scopes).map(({ name, bindings }) => (
            <section key={name} className="pb-3">
              <Text as="h3" size="label" tone="dim">
                {name}
              </Text>
              {bindings
                .filter(({ on }) => on.length > 0)
                .map(({ on, label }) => (
                  <KeyLine key={label} label={label} on={on} />
                ))}
            </section>
          ))}
        {isOpen && desktop && (
          <section className="pb-3">
            <Text as="h3" size="label" tone="dim">
              Window
            </Text>
            {desktopKeys.map(({ on, label }) => (
              <KeyLine key={label} label={label} on={[on]} />
            ))}
          </section>
        )}
      </div>
    </dialog>
  );
}

const KeyLine = ({ label, on }: { label: string; on: readonly string[] }) => (
  <div className="flex items-center justify-between py-0.5 text-row">
    <span className="text-fg-2">{label}</span>
    <span className="flex gap-1">
      {on.map((key) => (
        <KeyCap key={key}>{keyLabel(key)}</KeyCap>
      ))}
    </span>
  </div>
);
