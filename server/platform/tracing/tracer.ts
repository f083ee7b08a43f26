import { setTimeout as sleep } from 'node:timers/promises'
import { type Link, type Span as Recorded, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { ExportResultCode, parseTraceParent } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import {
  detectResources,
  resourceAttributesEnvDetector,
  resourceFromAttributes,
  serviceNameEnvDetector,
} from '@opentelemetry/resources'
import {
  BatchSpanProcessor,
  type IdGenerator,
  ParentBasedSampler,
  RandomIdGenerator,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { Logger } from 'pino'
import packageJson from '../../../package.json' with { type: 'json' }
import type { Config } from '../config/config.ts'
import { type Facts, type Span, spanOfRequest, type Tracer, toTraceId } from '../span.ts'
import { runWithoutCause } from '../work-context.ts'

/** Most spans waiting for the collector; more are dropped. */
const MOST_WAITING = 2048
const HANDED_OVER_EVERY_MS = 1000
const LAST_MS = 2000

/** Sends traces to a collector over OTLP, in the background: an unavailable or slow one delays nothing. */
export function createTracer({ endpoint, headers, share }: NonNullable<Config['tracing']>, log: Logger): Tracer {
  const exporter = new OTLPTraceExporter({ url: `${endpoint}/v1/traces`, headers: { ...headers } })
  const ids = namedIds()
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'tributary', 'service.version': packageJson.version }).merge(
      detectResources({ detectors: [resourceAttributesEnvDetector, serviceNameEnvDetector] }),
    ),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(share) }),
    idGenerator: ids,
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: telling(exporter, log),
        maxQueueSize: MOST_WAITING,
        scheduledDelayMillis: HANDED_OVER_EVERY_MS,
      }),
    ],
  })
  const tracer = provider.getTracer('tributary')
  const begin = (kind: SpanKind, name: string, attributes: Facts, origins: readonly string[]) =>
    asSpan(tracer, tracer.startSpan(name, { kind, attributes, links: linksTo(origins) }, ROOT_CONTEXT))
  return {
    request(id, name, facts, traceparent) {
      ids.next = { traceId: toTraceId(id), spanId: spanOfRequest(id) }
      return begin(SpanKind.SERVER, name, facts, traceparent ? [traceparent] : [])
    },
    job(id, name, facts, origins) {
      ids.next = { traceId: toTraceId(id) }
      return begin(SpanKind.CONSUMER, name, facts, origins)
    },
    close: () => Promise.race([provider.shutdown().catch(() => {}), sleep(LAST_MS, undefined, { ref: false })]),
  }
}

type Starts = Pick<ReturnType<TracerProvider['getTracer']>, 'startSpan'>

function asSpan(tracer: Starts, recorded: Recorded): Span {
  const { traceId, spanId } = recorded.spanContext()
  const within = trace.setSpan(ROOT_CONTEXT, recorded)
  return {
    traceId,
    origin: `00-${traceId}-${spanId}-01`,
    part(where, name, attributes) {
      const kind = where === 'asked' ? SpanKind.CLIENT : SpanKind.INTERNAL
      return asSpan(tracer, tracer.startSpan(name, { kind, attributes }, within))
    },
    note: (facts) => void recorded.setAttributes(facts),
    leadsTo: (other) => void recorded.addLinks(linksTo([other.origin])),
    end(failure) {
      if (failure) recorded.setAttribute('error.type', failure).setStatus({ code: SpanStatusCode.ERROR })
      recorded.end()
    },
  }
}

const linksTo = (origins: readonly string[]): Link[] =>
  origins.flatMap((origin) => {
    const context = parseTraceParent(origin)
    return context ? [{ context }] : []
  })

/** Generates the prepared ids for the next trace, random ones otherwise. */
function namedIds(): IdGenerator & { next?: { traceId: string; spanId?: string } } {
  const random = new RandomIdGenerator()
  return {
    generateSpanId() {
      const { spanId } = this.next ?? {}
      return spanId ?? random.generateSpanId()
    },
    // called last for a trace
    generateTraceId() {
      const { traceId } = this.next ?? {}
      this.next = undefined
      return traceId ?? random.generateTraceId()
    },
  }
}

/** Logs once that traces cannot be sent, and once that they can again. */
function telling(exporter: SpanExporter, log: Logger): SpanExporter {
  let isLost = false
  const tell = (error: Error | undefined) => {
    if (error && !isLost)
      log.warn({ error: error.message }, 'traces cannot be handed over and are let go; all else goes on')
    else if (!error && isLost) log.info('traces are handed over again')
    isLost = error !== undefined
  }
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        const { code, error = new Error('The collector refused them.') } = result
        runWithoutCause(() => tell(code === ExportResultCode.SUCCESS ? undefined : error))
        done(result)
      }),
    shutdown: () => exporter.shutdown(),
  }
}
