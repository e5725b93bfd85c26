/** Exporting whole traces as files. */
import { useMutation } from '@tanstack/react-query';
import { pathOf } from '../../shared/client.ts';
import { traceFiles } from '../../shared/contract/tracing/trace-files.ts';
import { gateway } from './client.ts';
import { asFailure } from './failure.ts';
import { saveFile } from './save-file.ts';
import { useServed } from './served.ts';

/** Most traces in one file of the gateway. */
const filedMax = 100;

const files = [
  { label: 'Trace archive', about: 'with scores and media, opens in another Glasshouse', path: traceFiles.exportArchive.path },
  { label: 'OTLP JSON', about: 'as received, for any OpenTelemetry backend', path: traceFiles.exportOtlp.path },
];

/** Downloads the traces with their spans and scores as one file. */
async function download(ids: readonly string[]): Promise<void> {
  const traces: unknown[] = [];
  // One at a time, because each may be large.
  for (const traceId of ids) traces.push((await gateway.traces.get({ params: { traceId }, query: { fields: 'scores' } })).data);
  saveFile(new Blob([JSON.stringify(traces, null, 2)], { type: 'application/json' }), `traces-${ids.length}.json`);
}

/**
 * The files that these traces can be downloaded as.
 * @param all reads the ids of all traces, if `ids` are only some of them
 */
export function useTraceExports(ids: readonly string[], all?: () => Promise<readonly string[]>) {
  const hasFiles = useServed()('trace_files') && all === undefined && ids.length <= filedMax;
  const json = useMutation({ mutationFn: async () => download(all ? await all() : ids), networkMode: 'always' });
  const entries = [
    { label: 'JSON', about: 'spans and scores as the API returns them', onSelect: () => json.mutate() },
    ...(hasFiles ? files : []).map(({ label, about, path }) => ({ label, about, download: pathOf(path, {}, { trace_id: [...ids] }) })),
  ];
  return { entries, isPending: json.isPending, problem: json.error && asFailure(json.error, 'The traces could not be exported').why };
}
