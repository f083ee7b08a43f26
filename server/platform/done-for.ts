import { AsyncLocalStorage } from 'node:async_hooks'
import { originOfRequest, type Span, timed } from './span.ts'

/** The ids of a request or a job. */
type Cause = Readonly<Record<string, string>>

/** `span` where it is traced; `requests` whose effects are being followed up. */
type Work = { cause?: Cause; span?: Span; requests?: readonly string[] }

const works = new AsyncLocalStorage<Work | undefined>()

/** Whatever `work` comes to log, however deep, names what it is done for; so does what is traced of it. */
export const doneFor = <T>(cause: Cause, work: () => T, span?: Span): T =>
  works.run({ cause: span ? { ...cause, traceId: span.traceId } : cause, span }, work)

/** For what many share, such as the commit of a group: it is not done for whoever happened to start it. */
export const doneForMany = <T>(work: () => T): T => works.run(undefined, work)

/** As above, for work that is part of each of these spans: it is seen in the first, and the others lead there. */
export function doneForAll<T>(spans: (Span | undefined)[], name: string, work: () => Promise<T>): Promise<T> {
  const [first, ...others] = new Set(spans.filter((span) => span !== undefined))
  if (!first) return work()
  const part = first.part('here', name)
  for (const other of others) other.leadsTo(part)
  return timed(part, () => works.run({ span: part }, work))
}

/** Jobs that `work` adds follow from these requests. */
export const followingUp = <T>(requests: readonly string[], work: () => T): T => works.run({ requests }, work)

export const causeOfWork = (): Cause | undefined => works.getStore()?.cause
export const spanOfWork = (): Span | undefined => works.getStore()?.span

/** Requests whose effects were followed up together: more say little about one of them. */
const MOST_REQUESTS = 16

/** The origins of a job added now; none if nothing is traced. */
export function originsOfWork(): string[] {
  const { span, requests = [] } = works.getStore() ?? {}
  return span ? [span.origin] : requests.slice(0, MOST_REQUESTS).map(originOfRequest)
}
