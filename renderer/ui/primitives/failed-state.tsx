import { Button } from './button.tsx';
import { CopyButton } from './copy-button.tsx';
import { Text } from './text.tsx';

export interface FailedStateProps {
  failure: { what: string; why: string; next: string; details: string };
  onRetry: () => void;
  /** It is all that the page shows. */
  isPage?: boolean;
}

/** Error state: what happened, why, and the next step. */
export function FailedState({ failure, onRetry, isPage = false }: FailedStateProps) {
  const { what, why, next, details } = failure;
  return (
    <div role="alert" className="grid h-full place-content-center justify-items-center gap-2 p-pad text-center">
      <Text as={isPage ? 'h1' : 'h2'} size="section" tone="err" strong>
        {what}
      </Text>
      <Text as="p" size="body" className="wrap-anywhere max-w-measure">
        {why}
      </Text>
      <Text as="p" size="body" tone="dim" className="max-w-measure">
        {next}
      </Text>
      <div className="flex gap-2 pt-1">
        <Button primary onClick={onRetry}>
          Try again
        </Button>
        {details && <CopyButton text={() => `${what}\n${why}\n${details}`} label="Copy details" />}
      </div>
    </div>
  );
}
