import { useEffect, useState } from 'react';
import { type DropResult, sendDroppedFile } from '../api/dropped-file.ts';
import { asFailure } from '../api/failure.ts';
import { Button } from '../ui/primitives/button.tsx';
import { Text } from '../ui/primitives/text.tsx';

type Phase = { kind: 'over' } | { kind: 'refused'; name: string; why: string } | null;

const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false;

/** Drop target for trace files, the whole page. The browser would navigate to the file. */
export function DropLayer({ goTo }: { goTo: (traceId: string | null) => void }) {
  const [phase, setPhase] = useState<Phase>(null);
  useEffect(() => {
    const onDragOver = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setPhase({ kind: 'over' });
    };
    const onDragLeave = (event: DragEvent) => event.relatedTarget === null && setPhase(null);
    const onDrop = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setPhase(null);
      const [file] = event.dataTransfer?.files ?? [];
      if (!file) return;
      void sendDroppedFile(file)
        .catch((error: unknown): DropResult => ({ why: asFailure(error, 'It could not be sent').why }))
        .then((result) => {
          if ('why' in result) setPhase({ kind: 'refused', name: file.name, why: result.why });
          else goTo(result.traceIds.length === 1 ? (result.traceIds[0] ?? null) : null);
        });
    };
    window.addEventListener('dragover', onDragOver);
    window.addEventListener('dragleave', onDragLeave);
    window.addEventListener('drop', onDrop);
    return () => {
      window.removeEventListener('dragover', onDragOver);
      window.removeEventListener('dragleave', onDragLeave);
      window.removeEventListener('drop', onDrop);
    };
  }, [goTo]);
  if (phase === null) return null;
  return (
    <div
      role={phase.kind === 'over' ? 'status' : 'alert'}
      className="enter-layer fixed top-4 left-1/2 z-40 flex -translate-x-1/2 items-center gap-3 rounded-card border border-line-2 bg-panel px-3 py-2 shadow-layer"
    >
      {phase.kind === 'over' ? (
        <Text strong>Drop a trace file to read it: OTLP as JSON or protobuf</Text>
      ) : (
        <>
          <Text strong>{`${phase.name} was not opened`}</Text>
          <Text tone="quiet">{phase.why}</Text>
          <Button onClick={() => setPhase(null)}>Close</Button>
        </>
      )}
    </div>
  );
}
