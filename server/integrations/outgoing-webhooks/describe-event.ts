import type { z } from 'zod'
import { type EventObject, type PublicEvent, publicEvents } from '#contract/events.ts'

export type Fact = [label: string, value: string | null]

/**
 * The facts of an event's object in words, and the owner's screen of it. `list`: the screen of a deleted object, if its
 * own had another place.
 */
export type Description = { facts: Fact[]; screen: string; list?: string }

/** How events with one kind of object read. */
export type Message = readonly [object: z.ZodObject, describe: (object: never) => Description]

/** Describes the object of an event, and so of all events with the same kind of object. */
export const describeEvent = <T extends PublicEvent>(
  event: T,
  describe: (object: EventObject<T>) => Description,
): Message => [publicEvents[event], describe]
