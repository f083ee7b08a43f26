/** Attributes of a span: names from the code, ids and numbers. No user input, and of addresses only the host. */
export type Facts = Record<string, string | number>

/** A timed piece of work, for traces. */
export type Span = {
  readonly traceId: string
  /** Its id for later consequences, in the form of a `traceparent`. */
  readonly origin: string
  /** Starts a part: in this process, or a call to another. */
  part(kind: 'here' | 'asked', name: string, facts?: Facts): Span
  note(facts: Facts): void
  /** Links to another trace, in which the work continues. */
  leadsTo(other: Span): void
  /** Ends it; `failure` is the kind of error, without quotations. */
  end(failure?: string): void
}

/** Starts traces. Each has an id derived from its subject, so that the id of a request or a job leads to its trace. */
export type Tracer = {
  /** `traceparent` comes from an unauthenticated caller: it is stored as a link, without any effect. */
  request(id: string, name: string, facts: Facts, traceparent?: string): Span
  /** `origins`: the spans that caused it. */
  job(id: string, name: string, facts: Facts, origins: readonly string[]): Span
  /** Sends pending spans, in 2 s at most. */
  close(): Promise<void>
}

/** Returns the trace id of a request or a job. */
export const toTraceId = (id: string) => id.replaceAll('-', '')

/** Returns the id of a request's root span, also derived from its id. */
export const spanOfRequest = (requestId: string) => toTraceId(requestId).slice(16)

/** Returns the origin for work that follows from a request. */
export const originOfRequest = (requestId: string) => `00-${toTraceId(requestId)}-${spanOfRequest(requestId)}-01`

/** Ends the span when `work` is done. An error's message may quote anything, so only its code is recorded. */
export async function timeSpan<T>(span: Span, work: () => Promise<T>): Promise<T> {
  try {
    const result = await work()
    span.end()
    return result
  } catch (error) {
    span.end(errorName(error))
    throw error
  }
}

export const errorName = (error: unknown): string => {
  const { code, name } = error as { code?: unknown; name?: unknown }
  return typeof code === 'string' ? code : typeof name === 'string' ? name : 'Error'
}
