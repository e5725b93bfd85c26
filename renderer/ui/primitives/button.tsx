import clsx from 'clsx';
import type { ComponentProps } from 'react';
import { KeyCap } from './key-cap.tsx';

/** For a link that looks like a button. */
export const linkButton =
  'inline-flex h-control shrink-0 items-center gap-1.5 whitespace-nowrap rounded-control border border-line-2 px-2 text-fg-2 text-row hover:bg-hover hover:text-fg';

interface ButtonProps extends Omit<ComponentProps<'button'>, 'type'> {
  /** The shortcut for the same action. */
  hint?: string;
  /** The main action. At most one on a screen. */
  primary?: boolean;
  pressed?: boolean;
  submit?: boolean;
  /** Why it is disabled; undefined when it is enabled. */
  whyNot?: string | undefined;
}

export function Button({ hint, primary, pressed, submit, whyNot, className, children, ...rest }: ButtonProps) {
  return (
    <button
      type={submit ? 'submit' : 'button'}
      aria-pressed={pressed}
      className={clsx(
        'inline-flex h-control shrink-0 items-center gap-1.5 whitespace-nowrap rounded-control border px-2 text-row',
        'enabled:hover:bg-hover enabled:hover:text-fg disabled:opacity-50',
        primary ? 'border-accent text-accent' : 'border-line-2 text-fg-2',
        pressed && 'bg-raised text-fg',
        className,
      )}
      {...rest}
      {...(whyNot === undefined ? {} : { disabled: true, title: whyNot })}
    >
      {children}
      {hint && <KeyCap>{hint}</KeyCap>}
    </button>
  );
}

interface IconButtonProps extends Omit<ComponentProps<'button'>, 'type' | 'aria-label'> {
  label: string;
}

/** Button with an icon and an accessible name. */
export function IconButton({ label, className, children, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      className={clsx(
        'inline-grid size-control shrink-0 place-items-center rounded-control text-fg-3 enabled:hover:bg-hover enabled:hover:text-fg disabled:opacity-50',
        className,
      )}
      {...rest}
    >
      {children}
    </button>
  );
}
