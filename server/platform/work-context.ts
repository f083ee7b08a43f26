import { AsyncLocalStorage } from 'node:async_hooks'
import { originOfRequest, type Span, timeSpan } from './span.ts'

/** The ids of a request or a job. */
type Cause = Readonly<Record<string, string>>

/** Fails the request of work that nothing awaits. */
type Fail = (error: unknown) => void

/** `span` if it is traced; `fail` for a request; `requests` whose effects are being processed. */
type Work = { cause?: Cause; span?: Span; fail?: Fail; requests?: readonly string[] }

const works = new AsyncLocalStorage<Work | undefined>()

/** Runs `work` with a cause, whose ids its log lines and spans contain, at any depth. */
export const runWithCause = <T>(cause: Cause, work: () => T, span?: Span, fail?: Fail): T =>
  works.run({ cause: span ? { ...cause, traceId: span.traceId } : cause, span, fail }, work)

/** Runs shared work, such as the commit of a group, without the cause of the request that started it. */
export const runWithoutCause = <T>(work: () => T): T => works.run(undefined, work)

/** Runs shared work that is part of each of these spans: recorded in the first, and linked from the others. */
export function doneForAll<T>(spans: (Span | undefined)[], name: string, work: () => Promise<T>): Promise<T> {
  const [first, ...others] = new Set(spans.filter((span) => span !== undefined))
  if (!first) return work()
  const part = first.part('here', name)
  for (const other of others) other.leadsTo(part)
  return timeSpan(part, () => works.run({ span: part }, work))
}

/** Runs `work` so that the jobs it adds refer to these requests. */
export const runWithOrigins = <T>(requests: readonly string[], work: () => T): T => works.run({ requests }, work)

/** Fails the request that is being worked on. Returns false if there is none. */
export function failRequest(error: unknown): boolean {
  const { fail } = works.getStore() ?? {}
  fail?.(error)
  return fail !== undefined
}

export const causeOfWork = (): Cause | undefined => works.getStore()?.cause
export const spanOfWork = (): Span | undefined => works.getStore()?.span

/** Most requests recorded: more would say little about each. */
const MOST_REQUESTS = 16

/** Returns the origins of a job added now; none without tracing. */
export function originsOfWork(): string[] {
  const { span, requests = [] } = works.getStore() ?? {}
  return span ? [span.origin] : requests.slice(0, MOST_REQUESTS).map(originOfRequest)
}
