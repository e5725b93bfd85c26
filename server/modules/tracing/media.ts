/**
 * Serves untrusted bytes from the origin of the viewer (docs/reference/ingest.md#media). Images, audio and video of verified type may be
 * displayed; all else, including SVG and HTML, is a download.
 */
import { fail } from '../../app/fail.ts';
import { Answer, defineModule } from '../../app/module.ts';

export const mediaModule = defineModule({
  group: 'media',
  needs: ['telemetry'],
  build: ({ telemetry }) => ({
    bytes: async ({ scope }, { params: { traceId, spanId, sha256 } }) => {
      const found = await telemetry.spans.media(scope, traceId, spanId, sha256);
      const { bytes, type } = found ?? fail('media_not_found', `No media ${sha256} in span ${spanId} of trace ${traceId}`);
      const isDisplayable = /^(image|audio|video)\//.test(type);
      const name = `${sha256.slice(0, 12)}.${type === 'application/pdf' ? 'pdf' : 'bin'}`;
      return new Answer(200, bytes, {
        'Content-Type': type || 'application/octet-stream',
        'Content-Security-Policy': "sandbox; default-src 'none'",
        ETag: `"${sha256}"`,
        ...(isDisplayable ? {} : { 'Content-Disposition': `attachment; filename="${name}"` }),
      });
    },
  }),
});
