import { type ProviderJson, parseJson, parseObject } from './parse-values.ts'
import {
  type Credentials,
  type GatheredFacts,
  PaymentProviderError,
  type ProviderAccess,
  type ProviderAdapter,
  type ProviderObject,
  type StoredObjects,
} from './provider.ts'

/** Calls to a provider while an event is read. */
export type ProviderCalls<Api> = {
  /** Returns the answer, or null without one; that an object does not exist is an answer too. */
  ask<T>(question: (api: Api) => Promise<T>): Promise<T | null>
  /** Returns the first failure of a call. */
  failure(): PaymentProviderError | null
}

/**
 * Continues without an answer and records why; `api` is null without credentials. A missing object proves nothing if
 * the account may not be the one that sent the event; `isTheSame` requests something that only that one has.
 */
function createCalls<Api>(
  api: Api | null,
  { mayBeAnother = false }: Pick<ProviderAccess, 'mayBeAnother'>,
  isTheSame?: (api: Api) => Promise<unknown>,
): ProviderCalls<Api> {
  const failureIn = (error: unknown) => {
    if (error instanceof PaymentProviderError) return error
    throw error
  }
  let failure: PaymentProviderError | null = null
  return {
    failure: () => failure,
    async ask(question) {
      if (!api) {
        failure ??= new PaymentProviderError('keyless', 'No provider is connected.')
        return null
      }
      try {
        return await question(api)
      } catch (error) {
        const failed = failureIn(error)
        if (failed.kind !== 'missing') failure ??= failed
        else if (isTheSame) {
          const other = await isTheSame(api).then(() => null, failureIn)
          if (other) failure ??= other.kind === 'missing' ? new PaymentProviderError('keyless', OF_ANOTHER) : other
        } else if (mayBeAnother) failure ??= new PaymentProviderError('keyless', OF_ANOTHER)
        return null
      }
    },
  }
}

const OF_ANOTHER = 'This came from an account that’s no longer connected. Connect that account again.'

/** An event's facts; omitted ones are unknown. `needed`: nothing may be booked without the provider's answers. */
export type EventFacts = Partial<Omit<GatheredFacts, 'lacking'>> & { needed?: boolean }

/** An event as read by its type. */
export type EventReading<Api> = {
  /** The event's object. */
  json: ProviderJson
  /** The event's whole body. */
  body: ProviderJson
  type: string
  at: Date
  now: Date
  calls: ProviderCalls<Api>
  /** Calls for the texts of promotion codes: without the right to read these their ids are used. */
  codeCalls: ProviderCalls<Api>
  /** Calls for the lines of a payment: without an answer it is booked without lines. */
  lineCalls: ProviderCalls<Api>
  stored: StoredObjects
}

/** Readers by event type. Types not listed move no money. */
export type Readers<Api> = Record<string, (reading: EventReading<Api>) => EventFacts | Promise<EventFacts>>

type Gathering<Api> = {
  readers: Readers<Api>
  createApi(credentials: Credentials, reach: ProviderAccess): Api
  /** Returns the object of an event; null if there is none to read. */
  objectIn(body: ProviderJson, type: string): ProviderJson | null
  /** Unless a reader decides: whether nothing may be booked without the provider's answers. */
  needed: boolean
  /** See `createCalls`. */
  isTheSame?(api: Api, type: string, json: ProviderJson): Promise<unknown>
  /** Completes the facts that a reader returns. */
  complete?(facts: EventFacts, codeCalls: ProviderCalls<Api>): Promise<EventFacts>
}

/** Creates an adapter's `readFacts`: each event is read by its type, completed by the provider's answers. */
export const createFactsReader =
  <Api>({ readers, createApi, objectIn, needed, isTheSame, complete }: Gathering<Api>): ProviderAdapter['readFacts'] =>
  async (event, credentials, reach, stored) => {
    const { type, at } = event
    const body = parseObject(parseJson(event.body))
    const json = objectIn(body, type)
    if (!json) return fillInFacts({}, null)
    const api = credentials && createApi(credentials, reach)
    const same = isTheSame && ((asked: Api) => isTheSame(asked, type, json))
    const [calls, codeCalls] = [createCalls(api, reach, same), createCalls(api, reach, same)]
    const lineCalls = createCalls(api, reach)
    const read =
      (await readers[type]?.({ json, body, type, at, now: reach.now, calls, codeCalls, lineCalls, stored })) ?? {}
    const facts = complete ? await complete(read, codeCalls) : read
    const [failure, codeFailure] = [calls.failure(), codeCalls.failure()]
    const lacking = failure && { error: failure, needed: facts.needed ?? needed }
    if (lacking?.needed || !codeFailure || codeFailure.kind === 'forbidden') return fillInFacts(facts, lacking)
    // wait until the provider is available: a sale's partner is final
    return fillInFacts(facts, { error: codeFailure, needed: true })
  }

/** Fills in the facts, with the reason for missing ones. */
export const fillInFacts = (facts: EventFacts, lacking: GatheredFacts['lacking']): GatheredFacts => ({
  payments: facts.payments ?? [],
  shared: facts.shared ?? [],
  prospect: facts.prospect ?? null,
  revoked: facts.revoked ?? null,
  lacking,
})

/** Returns facts about one payment; nothing if it or its objects are unknown. */
export const toFacts = (key: string | null, ...objects: ProviderObject[]): EventFacts =>
  key && objects.length > 0 ? { payments: [{ key, objects }] } : {}
