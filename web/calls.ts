import {
  hashKey,
  infiniteQueryOptions,
  type Query,
  type QueryFunction,
  type QueryKey,
  queryOptions,
  useIsFetching,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'
import { useRef } from 'react'
import type { z } from 'zod'
import { type CurrentUser, getMe, type Role } from '#contract/auth.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import {
  CallError,
  callApi,
  type EndpointInput,
  type Loose,
  mayHaveTakenEffect,
  type Nothing,
  randomKey,
} from './api.ts'
import { portalSession } from './session.ts'

/** The untyped core of `callApi`: the two helpers here have checked their input. */
const send = callApi as (endpoint: unknown, input: unknown) => Promise<unknown>

/** A query's key is its call and its input. */
const keyOf = ({ name }: { name: string }, { params, query, body }: Loose): QueryKey => [name, params, query ?? body]

/** Returns a query for a reading call: `useQuery(read(getPartner, { params: { id } }))`. */
export function apiQuery<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, R extends z.ZodType>(
  endpoint: Endpoint<P, Q, B, R>,
  ...[input]: Nothing extends EndpointInput<P, Q, B>
    ? [input?: EndpointInput<P, Q, B>]
    : [input: EndpointInput<P, Q, B>]
) {
  const request: Loose = input ?? {}
  return queryOptions({
    queryKey: keyOf(endpoint, request),
    queryFn: ({ signal }) => send(endpoint, { ...request, signal }) as Promise<z.output<R>>,
  })
}

const ofUser = apiQuery(getMe)

/** The signed-in user; in a portal its partner. */
export const me = queryOptions({
  ...ofUser,
  queryFn: (context) => portalSession()?.user() ?? (ofUser.queryFn as QueryFunction<CurrentUser>)(context),
})

/** An opened screen, which determines its reads. */
export type Opened<Params = object> = {
  /** The role the screen is shown to. */
  role: Role
  params: Params
  /** Search parameters of its address. */
  search: Record<string, unknown>
}

/** The queries of a screen, its main one first; nothing in the place of those that its reader or address doesn't need. */
export type Reads = readonly ({ queryKey: QueryKey } | false | null | undefined)[]

/** True until each of these queries has had its first result, or failed. */
export function useFirstLoad(reads: Reads) {
  const hashes = new Set(reads.map((one) => one && hashKey(one.queryKey)))
  const isFirst = ({ queryHash, state }: Query) =>
    hashes.has(queryHash) && state.status === 'pending' && !state.fetchFailureCount && !state.errorUpdateCount
  return useIsFetching({ predicate: isFirst }) > 0
}

/** The query of a list call: `cursor`, `search`, `sort` and its filters. */
export type SearchOf<E extends { query?: z.ZodType }> = z.input<NonNullable<E['query']>>

/** One page of a list. While the next page loads, the previous rows stay if they are of the same list. */
export function listQuery<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, R extends z.ZodType>(
  endpoint: Endpoint<P, Q, B, R>,
  { params, search }: { params?: z.input<P>; search: z.input<Q> },
) {
  return queryOptions({
    queryKey: keyOf(endpoint, { params, query: search }),
    queryFn: ({ signal }) => send(endpoint, { params, query: search, signal }) as Promise<z.output<R>>,
    placeholderData: (rows, before) =>
      before?.queryKey[0] === endpoint.name && hashKey([before.queryKey[1]]) === hashKey([params]) ? rows : undefined,
  })
}

/** All pages of a list, for `useInfiniteQuery`. */
export function apiPagesQuery<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, R extends ListReply>(
  endpoint: Endpoint<P, Q, B, R>,
  input: EndpointInput<P, Q, B>,
) {
  const request: Loose = input
  return infiniteQueryOptions({
    queryKey: [...keyOf(endpoint, request), 'pages'],
    queryFn: ({ pageParam, signal }) =>
      send(endpoint, {
        ...request,
        query: { ...(request.query as object), ...(pageParam && { cursor: pageParam }) },
        signal,
      }) as Promise<z.output<R>>,
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
  })
}

type ListReply = z.ZodType<{ nextCursor: string | null }>

type Always<K extends string, S extends z.ZodType> = [z.input<S>] extends [undefined]
  ? { [key in K]?: undefined }
  : { [key in K]: z.input<S> }

export type CallInput<P extends z.ZodType, B extends z.ZodType> = Always<'params', P> & Always<'body', B>

type Effects<P extends z.ZodType, B extends z.ZodType, R extends z.ZodType> = {
  /** One of many calls: the caller refreshes all data after the last one. */
  oneOfMany?: boolean
  onSuccess?: (reply: z.output<R>, input: CallInput<P, B>) => unknown
  onError?: (error: CallError) => void
}

/**
 * The one way to write. `mutate` sends and `send` also returns the reply (and throws); `busy` is for the button,
 * `error` for the form or dialog. Afterwards all data counts as stale, so callers don't have to list what a write
 * changes; also after a refusal by a state that the screen doesn't show yet. An attempt keeps its idempotency key until
 * the server has answered: pressing again after a lost answer takes effect once.
 */
export function useCall<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, R extends z.ZodType>(
  endpoint: Endpoint<P, Q, B, R>,
  { oneOfMany = false, onSuccess, onError }: Effects<P, B, R> = {},
) {
  const client = useQueryClient()
  const refresh = useRefresh()
  /** Idempotency keys by input: of many calls, several may be waiting for their answer. */
  const attempts = useRef(new Map<string, string>())
  /** Whether the last call took effect; read by the guard for unsaved edits. */
  const saved = useRef(false)
  const running = useRef<{ input: string; reply: Promise<z.output<R>> } | null>(null)
  const { mutateAsync, isPending, error, reset } = useMutation<z.output<R>, CallError, CallInput<P, B>>({
    mutationFn: async (input) => {
      const sent = JSON.stringify(input)
      const idempotencyKey = attempts.current.get(sent) ?? randomKey()
      attempts.current.set(sent, idempotencyKey)
      saved.current = false
      return (await send(endpoint, { ...input, idempotencyKey })) as z.output<R>
    },
    meta: { call: endpoint.name },
    // Offline it fails visibly instead of waiting.
    networkMode: 'always',
    throwOnError: (error) => !(error instanceof CallError),
    onSuccess: (reply, input) => {
      attempts.current.delete(JSON.stringify(input))
      saved.current = true
      if (oneOfMany) return onSuccess?.(reply, input)
      return refresh(() => onSuccess?.(reply, input))
    },
    onError: (refusal, input) => {
      if (!mayHaveTakenEffect(refusal)) attempts.current.delete(JSON.stringify(input))
      // what is shown next is read anew
      else void client.invalidateQueries({ refetchType: 'none' })
      if (isOutdated(refusal) && !oneOfMany) void refresh()
      onError?.(refusal)
    },
  })
  /** Sends an input that is already under way only once: a second press waits for the first one's answer. */
  function sendOnce(input: CallInput<P, B>) {
    const sent = JSON.stringify(input)
    if (running.current?.input === sent) return running.current.reply
    const mine = { input: sent, reply: mutateAsync(input) }
    running.current = mine
    const end = () => {
      if (running.current === mine) running.current = null
    }
    mine.reply.then(end, end)
    return mine.reply
  }

  return {
    /** Does not wait: `error` shows a refusal. */
    mutate: (input: CallInput<P, B>) => void sendOnce(input).catch(() => undefined),
    send: sendOnce,
    busy: isPending,
    error: error instanceof CallError ? error : null,
    reset,
    saved,
  }
}

/**
 * Marks all data as stale after a write. Data on the screen is read again once, after `follow`, which may navigate to
 * another screen; other data when it is next shown.
 */
export function useRefresh() {
  const client = useQueryClient()
  return async (follow?: () => unknown) => {
    // A response in flight may predate the write.
    void client.cancelQueries()
    void client.invalidateQueries({ refetchType: 'none' })
    await follow?.()
    void client.refetchQueries({ type: 'active', stale: true }, { cancelRefetch: false })
  }
}

const outdated: readonly CallError['code'][] = ['invalid_state', 'payout_changed', 'conflict']

/** Whether a call was refused because what it acts on is no longer as shown. */
export const isOutdated = ({ code }: CallError) => outdated.includes(code)

/** Drops the cached data of a deleted thing. */
export function useForget() {
  const client = useQueryClient()
  return (id: string) =>
    client.removeQueries({ predicate: ({ queryKey }) => (queryKey[1] as { id?: string } | undefined)?.id === id })
}
