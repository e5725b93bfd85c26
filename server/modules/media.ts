/**
 * Bytes that anybody may have written, from the address that also serves the viewer (docs/reference/ingest.md#media). Pictures, sounds
 * and films that are what they claim to be may be shown; all else, SVG and HTML with it, is a file that a browser can only save.
 */
import { fail } from '../app/fail.ts';
import { Answer, defineModule } from '../app/module.ts';

export const mediaModule = defineModule({
  group: 'media',
  needs: ['telemetry'],
  build: ({ telemetry }) => ({
    bytes: async ({ scope }, { params: { traceId, spanId, sha256 } }) => {
      const found = await telemetry.spans.media(scope, traceId, spanId, sha256);
      const { bytes, type } = found ?? fail('media_not_found', `No media ${sha256} in span ${spanId} of trace ${traceId}`);
      const isShown = /^(image|audio|video)\//.test(type);
      const name = `${sha256.slice(0, 12)}.${type === 'application/pdf' ? 'pdf' : 'bin'}`;
      return new Answer(200, bytes, {
        'Content-Type': type || 'application/octet-stream',
        'Content-Security-Policy': "sandbox; default-src 'none'",
        ETag: `"${sha256}"`,
        ...(isShown ? {} : { 'Content-Disposition': `attachment; filename="${name}"` }),
      });
    },
  }),
});
