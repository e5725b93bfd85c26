import { Link, useNavigate } from '@tanstack/react-router';
import { useCallback, useState } from 'react';
import { useSignal } from '../../api/gateway-live.ts';
import type { Signal } from '../../api/live.ts';
import { Text } from '../../ui/primitives/text.tsx';

const firstTraceOf = (signal: Signal) => (signal.gap ? undefined : signal.trace_ids[0]);

/** Opens the first trace that arrives while this component is mounted. */
export function OpenFirst() {
  const navigate = useNavigate();
  useSignal(
    useCallback(
      (signal) => {
        const traceId = firstTraceOf(signal);
        if (traceId !== undefined) void navigate({ to: '/traces/$traceId', params: { traceId } });
      },
      [navigate],
    ),
  );
  return null;
}

/** Link to the trace that arrived last, for a store that already has traces. */
export function LastArrived() {
  const [traceId, setTraceId] = useState<string>();
  useSignal(useCallback((signal) => setTraceId((before) => firstTraceOf(signal) ?? before), []));
  if (traceId === undefined) return null;
  return (
    <Link to="/traces/$traceId" params={{ traceId }} className="text-accent text-row hover:underline">
      A trace has just arrived: open it
    </Link>
  );
}

/** Description of the next step. */
export const WhatNext = ({ opensFirst, isForTeam }: { opensFirst: boolean; isForTeam: boolean }) => (
  <Text as="p" size="body" tone="quiet">
    {isForTeam
      ? 'Glasshouse accepts OpenTelemetry traces at this address with a key of this app, and shows them to your team.'
      : 'Glasshouse accepts OpenTelemetry traces at this address and keeps them on this machine; nothing leaves it.'}
    {opensFirst ? ' This page opens your first trace the moment it arrives.' : ''}
  </Text>
);
