import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { gateway } from '../api/client.ts';
import { duration } from '../model/text/format.ts';
import { milliseconds, when } from '../model/time/time.ts';
import { type Command, CommandPalette } from '../ui/overlays/command-palette.tsx';
import { keyLabel } from '../ui/primitives/key-label.ts';
import { groupedBindings, useKeyScopes } from '../ui/primitives/keys.tsx';
import { usePageCommands, usePlaceCommands } from './palette-commands.ts';

const recentMax = 50;
/** Arrow and paging keys are not listed in the palette. */
const excludedKeys = new Set(['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'PageUp', 'PageDown', 'Enter', 'Escape', 'Mod+k']);

/** Command palette: keys of the screen, pages, settings, switches, and the newest traces. */
export function PaletteLayer({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate();
  const scopes = useKeyScopes();
  const pages = usePageCommands();
  const places = usePlaceCommands();
  const recent = useQuery({
    queryKey: ['traces', 'recent'],
    queryFn: async () => (await gateway.traces.list({ query: { limit: recentMax } })).data,
  });
  const actions = groupedBindings(scopes).flatMap(({ name, bindings }) =>
    bindings
      .filter(({ allKeys }) => !allKeys.some((key) => excludedKeys.has(key)))
      .map(({ on, label, run }): Command => ({ id: `${name}.${label}`, group: name, label, hint: on[0] && keyLabel(on[0]), run })),
  );
  const traces = (recent.data ?? []).map(
    ({ id, name, start, latency_ms, error_count }): Command => ({
      id: `trace.${id}`,
      group: 'Newest traces',
      label: name || 'unnamed',
      about: [error_count > 0 ? `${error_count} failed` : '', duration(milliseconds(latency_ms)), when(start)].filter(Boolean).join(' · '),
      run: () => void navigate({ to: '/traces/$traceId', params: { traceId: id } }),
    }),
  );
  return (
    <CommandPalette
      commands={[...actions.filter(({ label }) => !label.startsWith('Go to ')), ...pages, ...places, ...traces]}
      onClose={onClose}
    />
  );
}
