/** The introduction of the API document. Markdown. */
export const introduction = `Observability for LLM and agent applications: traces, sessions, scores, datasets and experiments. A gateway on a developer's machine
and a gateway for a team serve the same contract; \`x-modes\` of an operation says which of them serve it, and \`GET /v1/capabilities\`
says what a given gateway supports.

**Credentials.** A local gateway accepts requests from its own machine without credentials. A cloud gateway takes an API key
(\`Authorization: Bearer sk_service_…\`) or the token of a person who has signed in, and with each request the header
\`X-Service-App-Id\`, where the operation has it. On the three OTLP operations a key is sent without \`Bearer\`. \`x-permission\` names the
permission that the key or the role must have.

**Answers.** Most answers are \`{"data": …}\`, lists with \`pagination\` beside it. Ignore unknown properties of an answer: answers
may gain properties in any release, and lose one only in a new version of the contract. Every failure is
\`{"error": {"code", "message"}}\`; programs test \`code\`, and \`x-answers\` lists the codes of each status. Every answer has an
\`X-Request-Id\`, the one that the request sent or a new one.

**Retrying.** On 429 and 503 wait as long as \`Retry-After\` says. Telemetry may be sent again unchanged: nothing is stored
twice.

**Numbers, times, texts.** Times are RFC 3339 in UTC, costs US dollars, durations milliseconds. \`limit\` and \`offset\` out of range are
errors and are never adjusted.

This document leaves out the operations of the viewer, which may change with any release. \`GET /v1/openapi.json?all=1\` includes them, marked
\`x-internal\`.`;
