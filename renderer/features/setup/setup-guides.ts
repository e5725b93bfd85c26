import { environmentLines, headersOf, type Target } from '../../model/setup/setup-lines.ts';

/** Setup guides, one for each kind of program. The address is that of this page. */
export interface SetupGuide {
  id: string;
  label: string;
  /** When this guide applies. */
  when: string;
  steps: { title: string; code: string }[];
}

/** Object literal with the headers, preceded by `before`; empty when no headers are needed. */
const headersIn = (target: Target, before: string): string => {
  const headers = headersOf(target);
  const pairs = Object.entries(headers ?? {}).map(([name, value]) => `'${name}': '${value}'`);
  return headers ? `${before}{ ${pairs.join(', ')} }` : '';
};

const nodeSdk = (target: Target, imports = '', calls = '') => `// tracing.mjs
import { NodeSDK } from '@opentelemetry/sdk-node';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
${imports}
const sdk = new NodeSDK({
  serviceName: 'my-app',
  traceExporter: new OTLPTraceExporter({ url: '${target.origin}/v1/traces'${headersIn(target, ', headers: ')} }),
});
sdk.start();
${calls}// Sends the remaining spans when the program ends.
process.once('beforeExit', () => sdk.shutdown());`;

function traceloopLines(target: Target): string {
  const headers = headersOf(target);
  const pairs = Object.entries(headers ?? {}).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  const line = headers ? `\nexport TRACELOOP_HEADERS="${pairs.join(',')}"` : '';
  return `export TRACELOOP_BASE_URL=${target.origin}${line}`;
}

const install = (code: string) => ({ title: 'Install', code });

const generic = (target: Target): SetupGuide[] => [
  {
    id: 'environment',
    label: 'Any OpenTelemetry SDK',
    when: 'The program already exports with OpenTelemetry, in any language. Its code does not change.',
    steps: [{ title: 'Set before it starts', code: environmentLines(target) }],
  },
  {
    id: 'opentelemetry-js',
    label: 'OpenTelemetry JS',
    when: 'A Node program without tracing.',
    steps: [
      install('npm install @opentelemetry/sdk-node @opentelemetry/exporter-trace-otlp-proto'),
      { title: 'Create tracing.mjs', code: nodeSdk(target) },
      { title: 'Start with it', code: 'node --import ./tracing.mjs app.js' },
    ],
  },
  {
    id: 'opentelemetry-python',
    label: 'OpenTelemetry Python',
    when: 'A Python program, instrumented without changes to its code.',
    steps: [
      install('pip install opentelemetry-distro opentelemetry-exporter-otlp-proto-http\nopentelemetry-bootstrap -a install'),
      { title: 'Run', code: `${environmentLines(target)}\nexport OTEL_SERVICE_NAME=my-app\nopentelemetry-instrument python app.py` },
    ],
  },
];

const libraries = (target: Target): SetupGuide[] => [
  {
    id: 'ai-sdk',
    label: 'Vercel AI SDK',
    when: 'Calls with generateText, streamText and the like. With Next.js, put the first part into instrumentation.ts.',
    steps: [
      install('npm install @opentelemetry/sdk-node @opentelemetry/exporter-trace-otlp-proto @ai-sdk/otel'),
      {
        title: 'AI SDK 7',
        code: nodeSdk(
          target,
          "import { registerTelemetry } from 'ai';\nimport { OpenTelemetry } from '@ai-sdk/otel';\n",
          'registerTelemetry(new OpenTelemetry());\n',
        ),
      },
      {
        title: 'AI SDK 4 to 6: the same without registerTelemetry, and on each call',
        code: `const result = await generateText({
  model,
  prompt,
  experimental_telemetry: { isEnabled: true, functionId: 'answer' },
});`,
      },
    ],
  },
  {
    id: 'openinference',
    label: 'OpenInference',
    when: 'OpenAI, LangChain, LlamaIndex and some forty more, in Python. The example is OpenAI.',
    steps: [
      install('pip install openinference-instrumentation-openai opentelemetry-sdk opentelemetry-exporter-otlp-proto-http'),
      {
        title: 'Run before the library is used',
        code: `from openinference.instrumentation.openai import OpenAIInstrumentor
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor

provider = TracerProvider()
provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter("${target.origin}/v1/traces"${headersIn(target, ', headers=')})))
OpenAIInstrumentor().instrument(tracer_provider=provider)`,
      },
    ],
  },
  {
    id: 'traceloop',
    label: 'Traceloop',
    when: 'OpenLLMetry, in Python or JavaScript.',
    steps: [
      install('pip install traceloop-sdk\nnpm install @traceloop/node-server-sdk'),
      { title: 'Set before it starts', code: traceloopLines(target) },
      { title: 'In Python', code: 'from traceloop.sdk import Traceloop\n\nTraceloop.init(app_name="my-app", disable_batch=True)' },
      {
        title: 'In JavaScript',
        code: "import * as traceloop from '@traceloop/node-server-sdk';\n\ntraceloop.initialize({ appName: 'my-app', disableBatch: true });",
      },
    ],
  },
  {
    id: 'langfuse',
    label: 'Langfuse SDK',
    when: 'Version 4 or later in JavaScript: it is based on OpenTelemetry, so its spans can be sent here directly.',
    steps: [
      install('npm install @langfuse/otel @opentelemetry/sdk-node @opentelemetry/exporter-trace-otlp-proto'),
      {
        title: 'Replace its own exporter',
        code: `import { NodeSDK } from '@opentelemetry/sdk-node';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { LangfuseSpanProcessor } from '@langfuse/otel';

const exporter = new OTLPTraceExporter({ url: '${target.origin}/v1/traces'${headersIn(target, ', headers: ')} });
new NodeSDK({ spanProcessors: [new LangfuseSpanProcessor({ exporter })] }).start();`,
      },
    ],
  },
];

export const setupGuides = (target: Target): SetupGuide[] => [...generic(target), ...libraries(target)];
