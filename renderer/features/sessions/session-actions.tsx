import { useNavigate } from '@tanstack/react-router';
import type { ListedTrace } from '../../../shared/contract/tracing/trace-list.ts';
import { usePlaceActs } from '../../api/place-acts.ts';
import { useTraceExports } from '../../api/trace-export.ts';
import { plural } from '../../model/text/format.ts';
import { tracesPrompt } from '../../model/trace/traces-prompt.ts';
import { type Act, ActsMenu, bindingsOf } from '../../ui/overlays/acts-menu.tsx';
import { CopyMenu } from '../../ui/overlays/copy-menu.tsx';
import { ExportMenu } from '../../ui/overlays/export-menu.tsx';
import { useKeys } from '../../ui/primitives/keys.tsx';
import { useConversationText } from './conversation-text.ts';
import { DeleteSession } from './delete-session.tsx';
import { readAllTurnIds } from './session-query.ts';

interface SessionActionsProps {
  sessionId: string;
  turns: readonly ListedTrace[];
  /** Of the whole session; more than `turns` until all have loaded. */
  total: number;
  /** Id of the trace of the current turn. */
  turn: string | undefined;
  onDeleted: () => void;
}

/** Menus and keys of what can be done with the session and its current turn, the first if none was chosen. */
export function SessionActions({ sessionId, turns, total, turn, onDeleted }: SessionActionsProps) {
  const traceId = (turns.find(({ id }) => id === turn) ?? turns[0])?.id ?? '';
  const acts = [
    ...usePlaceActs([{ traceId, spanId: '', sessionId }], 'the turn', { comment: 'the turn or the session' }),
    useCompareAct(turns, traceId),
  ];
  useKeys('Session', bindingsOf(acts));
  const exports = useTraceExports(
    turns.map(({ id }) => id),
    turns.length < total ? () => readAllTurnIds(sessionId) : undefined,
  );
  const title = `Session ${sessionId}, ${turns.length < total ? `the first ${turns.length} of ` : ''}${plural(total, 'turn')}`;
  const conversation = useConversationText(turns);
  const copies = [
    { label: 'As text', about: 'questions and answers of all turns', text: conversation },
    {
      label: 'AI prompt',
      about: 'summary of each turn, for an agent or a chat',
      text: () => tracesPrompt(title, turns, window.location.origin),
    },
    { label: 'Session ID', about: sessionId, text: () => sessionId },
    { label: 'Link', about: 'to this turn on this gateway', text: () => window.location.href },
  ];
  return (
    <>
      <ActsMenu label="More actions" acts={acts} />
      <CopyMenu scope="Session" entries={copies} />
      <ExportMenu scope="Whole session" label="Export session" {...exports} />
      <DeleteSession sessionId={sessionId} onDeleted={onDeleted} />
    </>
  );
}

/** Compares the turn with the previous one. */
function useCompareAct(turns: readonly ListedTrace[], traceId: string): Act {
  const navigate = useNavigate();
  const before = turns[turns.findIndex(({ id }) => id === traceId) - 1];
  return {
    ...{ key: 'c', label: 'Compare', of: 'with the previous turn', about: 'Compare the turn with the previous one' },
    whyNot: before ? undefined : 'It is the first turn',
    run: () => before && void navigate({ to: '/compare', search: { a: before.id, b: traceId } }),
  };
}
