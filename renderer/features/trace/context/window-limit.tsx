import { useMemo, useState } from 'react';
import type { ContextWindow } from '../../../../shared/contract/tracing/context-windows.ts';
import { tokens } from '../../../model/text/format.ts';
import { Button } from '../../../ui/primitives/button.tsx';
import { preference, usePreference } from '../../../ui/primitives/preferences.ts';
import { Text } from '../../../ui/primitives/text.tsx';

/** A window whose limit is from the list of models, or what the user said it is. */
export interface LimitedWindow extends ContextWindow {
  /** Whether the list does not have it. */
  isLimitOwn: boolean;
}

/** The windows that have calls, with the limits that the user has set. */
export function useWindowsWithLimits(windows: readonly ContextWindow[] | undefined): LimitedWindow[] {
  const [limits] = usePreference(preference.windowLimits);
  return useMemo(
    () =>
      (windows ?? [])
        .filter(({ calls }) => calls.length > 0)
        .map((window) => ({
          ...window,
          isLimitOwn: window.limit_tokens === null,
          limit_tokens: window.limit_tokens ?? (Object.hasOwn(limits, window.model) ? (limits[window.model] ?? null) : null),
        })),
    [windows, limits],
  );
}

/** Asks for the window of a model that no list has. */
export function WindowLimit({ model }: { model: string }) {
  const [limits, setLimits] = usePreference(preference.windowLimits);
  const [typed, setTyped] = useState<string | null>(null);
  const own = Object.hasOwn(limits, model) ? limits[model] : undefined;
  const value = Number(typed?.replace(/[\s,._]/g, ''));
  const isValid = Number.isInteger(value) && value >= 1 && value <= 1e9;
  const save = () => {
    const { [model]: _, ...others } = limits;
    setLimits(typed === '' ? others : { ...others, [model]: value });
    setTyped(null);
  };
  const name = model || 'this model';
  return (
    <form
      className="flex shrink-0 flex-wrap items-center gap-2 border-line border-b bg-panel px-pad py-1"
      onSubmit={(event) => {
        event.preventDefault();
        if (isValid || typed === '') save();
      }}
    >
      <Text tone="quiet">
        {own === undefined ? `The window of ${name} is not known.` : `You set the window of ${name} to ${tokens(own)} tokens.`}
      </Text>
      {model === '' ? null : typed === null ? (
        <Button
          title="Kept in this browser. context_windows in prices.json sets it for everyone."
          onClick={() => setTyped(own === undefined ? '' : String(own))}
        >
          {own === undefined ? 'Set it' : 'Change'}
        </Button>
      ) : (
        <>
          <input
            // biome-ignore lint/a11y/noAutofocus: the button that opened the field is gone
            autoFocus
            aria-label={`Tokens that the window of ${name} has room for`}
            placeholder="200000"
            inputMode="numeric"
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
            onKeyDown={(event) => event.key === 'Escape' && setTyped(null)}
            className="h-control w-(--width-word) rounded-control border border-line-2 bg-bg px-2 text-right text-row tabular-nums"
          />
          <Text tone="dim">tokens</Text>
          <Button submit whyNot={isValid || (typed === '' && own !== undefined) ? undefined : 'A number of tokens, such as 200000'}>
            Save
          </Button>
        </>
      )}
    </form>
  );
}
