import type { z } from 'zod'
import type { Endpoint } from '../endpoint.ts'
import type { RefusalReason } from '../refusals.ts'

type Said<K extends string, T> = [T] extends [undefined] ? { [key in K]?: never } : { [key in K]: NonNullable<T> }

/** One believable call and its answer, as they are sent. */
export type ExampleOf<E extends Endpoint> = {
  /** Path parameters; a missing `id` is that of the call's subject. */
  params?: Partial<z.input<NonNullable<E['params']>>>
  /** The example's query; empty by default. */
  query?: Partial<z.input<NonNullable<E['query']>>>
  /** Reasons for refusal beyond the `sharedReasons` that follow from its policy and limits. */
  refused?: readonly RefusalReason[]
} & Said<'body', z.input<NonNullable<E['body']>>> &
  Said<'reply', z.output<NonNullable<E['reply']>>>

/**
 * An example for every call that a file of the contract declares, by its name; a list's file uses the list's example
 * and may add its own reasons for refusal.
 */
export type ExamplesOf<Room> = {
  [K in keyof Room as Room[K] extends { list: unknown }
    ? never
    : Room[K] extends Endpoint
      ? K
      : never]: Room[K] extends Endpoint ? ExampleOf<Room[K]> : never
} & {
  [K in keyof Room as Room[K] extends { list: unknown } ? K : never]?: { refused: readonly RefusalReason[] }
}
