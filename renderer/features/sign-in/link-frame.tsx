import { type FormEvent, type ReactNode, useEffect, useRef } from 'react';
import { restart } from '../../api/sign-in.ts';
import { Button } from '../../ui/primitives/button.tsx';
import { Text } from '../../ui/primitives/text.tsx';

interface LinkFrameProps {
  title: string;
  about: string;
  /** Message about a failure; null without one. */
  problem: string | null;
  /** The form is gone, and the focus moves to the heading. */
  isDone?: boolean;
  onSubmit: () => void;
  children: ReactNode;
}

/** Page about a link that is sent by e-mail. */
export function LinkFrame({ title, about, problem, isDone = false, onSubmit, children }: LinkFrameProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (isDone) heading.current?.focus();
  }, [isDone]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <main className="grid h-full place-content-center overflow-y-auto p-pad">
      <title>{`${title} · Glasshouse`}</title>
      <form onSubmit={submit} className="grid w-form max-w-full gap-4">
        <header className="grid gap-1">
          <h1 ref={heading} tabIndex={-1} className="font-strong text-fg text-title outline-none">
            {title}
          </h1>
          <Text as="p" size="body" tone="dim">
            <span role="status">{about}</span>
          </Text>
        </header>
        {problem !== null && (
          <p role="alert" className="text-err text-row">
            {problem}
          </p>
        )}
        {children}
      </form>
    </main>
  );
}

const openSignIn = () => restart('#/traces');

/** A way out of a link that does not work. */
export function BackToSignIn() {
  return (
    <Button onClick={openSignIn} className="justify-center">
      Back to sign-in
    </Button>
  );
}

/** Page of a link without its code, as when a part of it was not copied. */
export function IncompleteLinkScreen() {
  return (
    <LinkFrame
      title="This link is incomplete"
      about="A part of it is missing. Copy the whole link from the e-mail, or ask for a new one."
      problem={null}
      onSubmit={openSignIn}
    >
      <BackToSignIn />
    </LinkFrame>
  );
}
