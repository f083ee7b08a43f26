/** Attributes of a span: names from the code, ids and numbers. Nothing that people typed, no address but a host. */
export type Facts = Record<string, string | number>

/** A stretch of work whose time is taken for whoever traces the install. */
export type Span = {
  readonly traceId: string
  /** How what follows from it later names it, in the form of a `traceparent`. */
  readonly origin: string
  /** A stretch of it: done in this process, or asked of another. */
  part(kind: 'here' | 'asked', name: string, facts?: Facts): Span
  note(facts: Facts): void
  /** The rest of it is part of another trace. */
  leadsTo(other: Span): void
  /** It is over; `failure` is the kind of it, which quotes nothing. */
  end(failure?: string): void
}

/** The start of traces. Each has a name from its subject, so that the id of a request or a job leads to its trace. */
export type Tracer = {
  /** `traceparent` is what the caller sent, whom nobody knows: it is kept as a link, and decides nothing. */
  request(id: string, name: string, facts: Facts, traceparent?: string): Span
  /** `origins`: what it follows from. */
  job(id: string, name: string, facts: Facts, origins: readonly string[]): Span
  /** Hands over what it still has, in 2 s at most. */
  close(): Promise<void>
}

/** The trace of a request or a job, by its id. */
export const traceOf = (id: string) => id.replaceAll('-', '')

/** Each request has one span that the others are part of, which its id tells too. */
export const spanOfRequest = (requestId: string) => traceOf(requestId).slice(16)

/** How work that follows from a request names it. */
export const originOfRequest = (requestId: string) => `00-${traceOf(requestId)}-${spanOfRequest(requestId)}-01`

/** Takes the time until `work` is done. The message of an error may quote anything: its code says enough. */
export async function timed<T>(span: Span, work: () => Promise<T>): Promise<T> {
  try {
    const result = await work()
    span.end()
    return result
  } catch (error) {
    span.end(failureOf(error))
    throw error
  }
}

export const failureOf = (error: unknown): string => {
  const { code, name } = error as { code?: unknown; name?: unknown }
  return typeof code === 'string' ? code : typeof name === 'string' ? name : 'Error'
}
