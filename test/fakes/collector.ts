import { startServer } from './server.ts'

type Value = { stringValue?: string; intValue?: number | string }
type Raw = {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  attributes: { key: string; value: Value }[]
  links?: { traceId: string; spanId: string }[]
  status: { code: number }
}
type Sent = {
  resourceSpans: { resource: { attributes: Raw['attributes'] }; scopeSpans: { spans: Raw[] }[] }[]
}

/** A span as the collector received it. */
export type Kept = Omit<Raw, 'attributes' | 'links'> & {
  facts: Record<string, string>
  links: { traceId: string; spanId: string }[]
}

const factsOf = (attributes: Raw['attributes']) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, String(value.stringValue ?? value.intValue)]))

/** A collector of traces by OTLP over HTTP, as JSON. */
export async function standInCollector() {
  const server = await startServer(({ path }) => (path === '/v1/traces' ? { status: 200, body: {} } : { status: 404 }))
  const sent = () => server.callsTo('POST /v1/traces').map(({ body }) => body as Sent)
  return {
    ...server,
    resources: () =>
      sent().flatMap(({ resourceSpans }) => resourceSpans.map(({ resource }) => factsOf(resource.attributes))),
    spans: (): Kept[] =>
      sent()
        .flatMap(({ resourceSpans = [] }) => resourceSpans)
        .flatMap(({ scopeSpans }) => scopeSpans)
        .flatMap(({ spans }) => spans)
        .map(({ attributes, links = [], ...span }) => ({ ...span, facts: factsOf(attributes), links })),
  }
}
