import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import type { z } from 'zod'
import type { Endpoint } from '#contract/endpoint.ts'
import { CallError, call, mayHaveTakenEffect, randomKey } from './api.ts'

type Params<P extends z.ZodType> = [z.input<P>] extends [undefined] ? { params?: undefined } : { params: z.input<P> }
type Query<Q extends z.ZodType> = { query?: z.input<Q> }

/** Loaded data counts as fresh for 30 s. */
const FRESH_MS = 30_000

/** The untyped heart of `call`: the two helpers here have checked what they pass on. */
const send = call as (endpoint: unknown, input: unknown) => Promise<unknown>

/**
 * What a call that reads answers, as a query: `useQuery(read(getPartner, { params: { id } }))`. Its key begins with the
 * call's path, so that `refresh` of `useCall` finds it.
 */
export function read<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, R extends z.ZodType>(
  endpoint: Endpoint<P, Q, B, R>,
  ...[input]: [z.input<P>] extends [undefined] ? [input?: Query<Q>] : [input: Params<P> & Query<Q>]
) {
  const { params, query } = (input ?? {}) as { params?: unknown; query?: unknown }
  return queryOptions({
    queryKey: [endpoint.path, params ?? null, query ?? null] as const,
    queryFn: ({ signal }) => send(endpoint, { params, query, signal }) as Promise<z.output<R>>,
    staleTime: FRESH_MS,
  })
}

/** What a table asks of a list: `cursor`, `search`, `sort` and filters, as `tableQuery` makes it. */
export type ListSearch = Record<string, string | number | undefined>

/** One page of a list. While the next one loads the rows of the last one stay, if they are of the same list. */
export function listQuery<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, R extends z.ZodType>(
  endpoint: Endpoint<P, Q, B, R>,
  { params, search }: { params?: z.input<P>; search: ListSearch },
) {
  return queryOptions({
    queryKey: [endpoint.path, params ?? null, search] as const,
    queryFn: ({ signal }) => send(endpoint, { params, query: search, signal }) as Promise<z.output<R>>,
    staleTime: FRESH_MS,
    placeholderData: (rows, before) =>
      before?.queryKey[0] === endpoint.path && JSON.stringify(before.queryKey[1]) === JSON.stringify(params ?? null)
        ? rows
        : undefined,
  })
}

export type CallInput<P extends z.ZodType, B extends z.ZodType> = Params<P> &
  ([z.input<B>] extends [undefined] ? { body?: undefined } : { body: z.input<B> })

type Effects<P extends z.ZodType, B extends z.ZodType, R extends z.ZodType> = {
  /**
   * Words of paths, such as 'partners': whatever was read from an address with that word is asked again. Most writes
   * change figures too: 'stats', 'dashboard', 'balance'.
   */
  refresh?: readonly string[]
  onSuccess?: (reply: z.output<R>, input: CallInput<P, B>) => unknown
  onError?: (error: CallError) => void
}

/**
 * The one way to write. `mutate` sends and `send` also answers with the reply (and throws); `busy` is for the button,
 * `error` for the form or dialog. An attempt keeps its idempotency key until the server has answered it: pressing again
 * after a lost answer takes effect once.
 */
export function useCall<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, R extends z.ZodType>(
  endpoint: Endpoint<P, Q, B, R>,
  { refresh = [], onSuccess, onError }: Effects<P, B, R> = {},
) {
  const client = useQueryClient()
  const attempt = useRef<{ input: string; key: string } | null>(null)
  /** Whether the last call took effect; read by the guard against losing edits. */
  const saved = useRef(false)
  const running = useRef<{ input: string; reply: Promise<z.output<R>> } | null>(null)
  const { mutateAsync, isPending, error, reset } = useMutation<z.output<R>, CallError, CallInput<P, B>>({
    mutationFn: async (input) => {
      const sent = JSON.stringify(input)
      if (attempt.current?.input !== sent) attempt.current = { input: sent, key: randomKey() }
      saved.current = false
      return (await send(endpoint, { ...input, idempotencyKey: attempt.current.key })) as z.output<R>
    },
    // Offline it fails and says so, instead of waiting unseen.
    networkMode: 'always',
    throwOnError: (error) => !(error instanceof CallError),
    onSuccess: (reply, input) => {
      attempt.current = null
      saved.current = true
      refreshRead(client, refresh)
      return onSuccess?.(reply, input)
    },
    onError: (refusal) => {
      if (!mayHaveTakenEffect(refusal)) attempt.current = null
      onError?.(refusal)
    },
  })
  /** What is on its way already is not sent again: a second press waits for the first one's answer. */
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
    /** Without waiting: a refusal is told by `error`. */
    mutate: (input: CallInput<P, B>) => void sendOnce(input).catch(() => undefined),
    send: sendOnce,
    busy: isPending,
    error: error instanceof CallError ? error : null,
    reset,
    saved,
  }
}

type Client = ReturnType<typeof useQueryClient>

/** Asks again for everything read from an address with one of these words. */
export function refreshRead(client: Client, words: readonly string[]) {
  return client.invalidateQueries({ predicate: ({ queryKey }) => words.some((word) => readFrom(queryKey, word)) })
}

/** Whether a query's key holds `word` as a part of the path it was read from. */
export const readFrom = (queryKey: readonly unknown[], word: string) =>
  queryKey.some((part) => typeof part === 'string' && part.split('/').includes(word))
