import { OutboundError } from '../platform/http/outbound.ts'
import { type Check, reportOk, reportSkipped, reportWarning } from './check.ts'

/** Checks whether the collector accepts traces, without sending any. */
export const tracing: Check = {
  name: 'tracing',
  async look({ config, outbound, needs }) {
    needs('OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_HEADERS')
    if (!config.tracing) return reportSkipped('OTEL_EXPORTER_OTLP_ENDPOINT isn’t set: nothing is traced.')
    const { endpoint, headers } = config.tracing
    const { host } = new URL(endpoint)
    try {
      const { status } = await outbound.provider(`${endpoint}/v1/traces`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: '{"resourceSpans":[]}',
      })
      if (status < 300) return reportOk(`${host} takes traces.`)
      return reportWarning(`${host} returns ${status} and accepts no traces.`, adviceFor(status))
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error
      return reportWarning(
        `The trace collector doesn’t respond: ${error.message}`,
        'Start it, or correct OTEL_EXPORTER_OTLP_ENDPOINT; everything else works without it.',
      )
    }
  },
}

function adviceFor(status: number) {
  if (status === 401 || status === 403) return 'Correct OTEL_EXPORTER_OTLP_HEADERS.'
  return 'Set OTEL_EXPORTER_OTLP_ENDPOINT to its base URL for OTLP over HTTP, often on port 4318; /v1/traces is appended.'
}
