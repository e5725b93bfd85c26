/** What one ingest request may hold. Shown in `GET /v1/capabilities`. */
export const otlpLimits = {
  /** Bytes, on the wire and after inflating. */
  bodyBytesMax: 20 * 1024 * 1024,
  /**
   * Nested arrays and objects in a JSON body, counted before it is parsed. An attribute is ten levels deep and each map in it adds
   * four: deep values exceed `valueDepthMax` first, which rejects one span and not the request.
   */
  jsonDepthMax: 160,
  /** Keys of one JSON object, counted before it is parsed. */
  jsonKeysMax: 100_000,
  /** Arrays and objects of a JSON body, counted before it is parsed: enough for 20 MiB of the smallest attributes. */
  jsonContainersMax: 1_500_000,
  /** Values and keys of a JSON body together, counted before it is parsed: enough for 20 MiB of the smallest attributes. */
  jsonValuesMax: 6_000_000,
  /** Nested arrays and maps in one attribute value. */
  valueDepthMax: 32,
  spansMax: 100_000,
  attributesMax: 1024,
  eventsMax: 1024,
  linksMax: 1024,
  /** UTF-16 units. */
  keyLengthMax: 1024,
  nameLengthMax: 4096,
} as const;
