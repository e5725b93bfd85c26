/** The first page of the API document. Markdown. */
export const introduction = `Observability for LLM and agent applications: traces, sessions, scores, datasets and experiments. A gateway on a developer's machine
and a gateway for a team serve the same contract; \`x-modes\` of an operation says which of them serve it, and \`GET /v1/capabilities\`
what a given gateway has.

**Credentials.** A local gateway takes requests from its own machine without any. A cloud gateway takes an API key
(\`Authorization: Bearer sk_service_…\`) or the token of somebody who has signed in, and with each request the header
\`X-Service-App-Id\`, where the operation has it. On the three OTLP operations a key goes without \`Bearer\`. \`x-permission\` names what
the key or the role must be allowed.

**Answers.** Most answers are \`{"data": …}\`, lists with \`pagination\` beside it. An unknown property of an answer is no error: answers
gain properties in any release, and only in a new version of the contract do they lose one. Every failure is
\`{"error": {"code", "message"}}\`; programs test \`code\`, and \`x-answers\` lists the codes of each status. Every answer has an
\`X-Request-Id\`, which is that of the request where it sent one.

**Retrying.** On 429 and 503 wait as long as \`Retry-After\` says. Telemetry may be sent again as it is: what is stored already is not stored
twice.

**Numbers, times, texts.** Times are RFC 3339 in UTC, costs US dollars, durations milliseconds. \`limit\` and \`offset\` out of range are
errors and are never cut to fit.

This document leaves out the operations of the viewer, which change with it. \`GET /v1/openapi.json?all=1\` has them too, marked
\`x-internal\`.`;
