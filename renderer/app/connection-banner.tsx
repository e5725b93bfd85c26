import { useEffect, useState } from 'react';
import { reconnect, useIsPaused } from '../api/gateway-live.ts';
import { type Connection, isAway } from '../api/live.ts';
import { Button } from '../ui/primitives/button.tsx';
import { Text } from '../ui/primitives/text.tsx';

const style =
  'enter-layer fixed bottom-4 left-1/2 z-40 flex -translate-x-1/2 items-center gap-3 rounded-card border border-line-2 bg-panel px-3 py-2 shadow-layer';

export function ConnectionBanner({ connection }: { connection: Connection }) {
  const isPaused = useIsPaused();
  if (isPaused && connection.phase === 'live')
    return (
      <div role="status" className={style}>
        <Text strong>Receiving is paused</Text>
        <Text tone="quiet">Spans sent now are refused; most exporters retry for a while. Resume it in the tray or the menu.</Text>
      </div>
    );
  if (connection.phase !== 'waiting' || !isAway(connection)) return null;
  return (
    <div role="alert" className={style}>
      <Text tone="err" strong>
        The gateway does not answer
      </Text>
      <Text tone="quiet">
        This page may be out of date. <Countdown to={connection.retryAt} />
      </Text>
      <Button onClick={reconnect}>Try now</Button>
    </div>
  );
}

function Countdown({ to }: { to: number }) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 500);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.max(0, Math.ceil((to - now) / 1000));
  return <span aria-live="off">{seconds > 0 ? `Trying again in ${seconds} s.` : 'Trying again now.'}</span>;
}
