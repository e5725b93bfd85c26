/** What to paste into a coding agent, so that it sets a program up and proves that its spans arrive. */
export const agentPrompt = (
  origin: string,
): string => `Set up tracing of this project so that its traces arrive in Glasshouse, which runs on this machine at ${origin}.

1. Find out which LLM and agent libraries the project uses, and whether it exports OpenTelemetry already.
   If it does, change only the endpoint. If not, add the instrumentation made for its library
   (Vercel AI SDK: experimental_telemetry or registerTelemetry; OpenInference or OpenLLMetry for OpenAI,
   LangChain, LlamaIndex and others; the SDK's own exporter where it has one).
2. Export with OTLP over HTTP, protobuf or JSON, not gRPC:
   OTEL_EXPORTER_OTLP_ENDPOINT=${origin}
   OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf
   Traces go to ${origin}/v1/traces. No key and no login are needed. Read the address from the environment,
   so that production is not changed.
3. Let inputs and outputs be recorded, give the program a service name, and set session.id where there is a conversation.
   Flush what is left before the program ends.
4. Run the program once, then check:
   curl -s '${origin}/v1/traces?limit=1'               the newest trace
   curl -s '${origin}/v1/viewer/ingest-log?limit=5'    every request that reached the port, refused ones with the reason
   If the list stays empty, read the ingest log and correct what it says.
5. Tell me in two lines what you changed, and the name of the trace that arrived.
`;
