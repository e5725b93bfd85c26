import type { SpanFamily } from '../../../../shared/span-families.ts';
import { headersOf, type Target } from '../../../model/setup/setup-lines.ts';

/** Setup guide for one kind of program. The address is that of this page. */
export interface SetupGuide {
  id: string;
  label: string;
  /** Other words by which people look for it. */
  words?: string;
  /** When this guide applies. */
  when: string;
  /** The instrumentations by which the gateway recognises the spans. Empty where only log records come. */
  families: readonly SpanFamily[];
  steps: { title: string; code: string }[];
}

export const install = (code: string) => ({ title: 'Install', code });

/** Object literal with the headers, preceded by `before`; empty when no headers are needed. */
export const headersIn = (target: Target, before: string): string => {
  const headers = headersOf(target);
  const pairs = Object.entries(headers ?? {}).map(([name, value]) => `'${name}': '${value}'`);
  return headers ? `${before}{ ${pairs.join(', ')} }` : '';
};

/** An exporter in JavaScript. */
export const jsExporter = (target: Target): string =>
  `new OTLPTraceExporter({ url: '${target.origin}/v1/traces'${headersIn(target, ', headers: ')} })`;

export const nodePackages = '@opentelemetry/sdk-node @opentelemetry/exporter-trace-otlp-proto';

/** A file that starts the OpenTelemetry SDK of Node. @param calls lines after the start; @param options more options of the SDK */
export const nodeSdk = (target: Target, imports = '', calls = '', options = ''): string => `// tracing.mjs
import { NodeSDK } from '@opentelemetry/sdk-node';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
${imports}
const sdk = new NodeSDK({
  serviceName: 'my-app',
  traceExporter: ${jsExporter(target)},
${options}});
sdk.start();
${calls}// Sends the remaining spans when the program ends.
process.once('beforeExit', () => sdk.shutdown());`;

export const pythonPackages = 'opentelemetry-sdk opentelemetry-exporter-otlp-proto-http';

/** A tracer provider in Python with an exporter, as `provider`. */
export const pythonProvider = (
  target: Target,
): string => `from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor

provider = TracerProvider()
provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter("${target.origin}/v1/traces"${headersIn(target, ', headers=')})))`;

/** The same, for libraries that use the global provider. */
export const globalPythonProvider = (target: Target): string =>
  `from opentelemetry import trace\n${pythonProvider(target)}\ntrace.set_tracer_provider(provider)`;

interface Instrumentor {
  /** Name of the package after `openinference-instrumentation-`. */
  distribution: string;
  module: string;
  instrumentor: string;
}

/** The steps of an OpenInference instrumentor in Python. */
export const openInferenceSteps = (target: Target, { distribution, module, instrumentor }: Instrumentor): SetupGuide['steps'] => [
  install(`pip install openinference-instrumentation-${distribution} ${pythonPackages}`),
  {
    title: 'Run before the library is used',
    code: `from openinference.instrumentation.${module} import ${instrumentor}
${pythonProvider(target)}
${instrumentor}().instrument(tracer_provider=provider)`,
  },
];
