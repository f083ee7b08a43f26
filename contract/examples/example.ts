import type { z } from 'zod'
import type { Endpoint } from '../endpoint.ts'
import type { Reason } from '../refusals.ts'

type Said<K extends string, T> = [T] extends [undefined] ? { [key in K]?: never } : { [key in K]: NonNullable<T> }

/** One believable call and its answer, as they are sent. */
export type ExampleOf<E extends Endpoint> = {
  /** Of the path; an `id` left out is that of the call's subject. */
  params?: Partial<z.input<NonNullable<E['params']>>>
  /** What the example asks for; nothing where left out. */
  query?: Partial<z.input<NonNullable<E['query']>>>
  /** What the call is refused for, beside the `sharedReasons` that its policy and its limits say by themselves. */
  refused?: readonly Reason[]
} & Said<'body', z.input<NonNullable<E['body']>>> &
  Said<'reply', z.output<NonNullable<E['reply']>>>

/**
 * An example for every call that a file of the contract declares, by its name; a list's file is asked for as the list is,
 * and may say what it alone is refused for.
 */
export type ExamplesOf<Room> = {
  [K in keyof Room as Room[K] extends { list: unknown }
    ? never
    : Room[K] extends Endpoint
      ? K
      : never]: Room[K] extends Endpoint ? ExampleOf<Room[K]> : never
} & {
  [K in keyof Room as Room[K] extends { list: unknown } ? K : never]?: { refused: readonly Reason[] }
}
