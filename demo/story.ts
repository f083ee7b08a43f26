import type { Endpoint } from '#contract/endpoint.ts'
import type { Services } from '../server/platform/services.ts'
import { type Access, resolveAccess } from '../server/program/access/access.ts'
import type { AccountFacts } from '../server/program/access/account-facts.ts'
import type { Actor } from '../server/program/access/actor.ts'
import type { TurnedClock } from './clock.ts'
import type { DemoProviders } from './providers.ts'
import type { Random } from './random.ts'
import type { Course } from './timeline.ts'

/** Shared by all parts of the demo's story. */
export type Story = {
  services: Services
  clock: TurnedClock
  course: Course
  random: Random
  standIns: DemoProviders
  /** Amount of unscripted activity: 1 is a whole demo. */
  scale: number
  /** Returns the moment `days` before the end, which is the start of today in the account's time zone. */
  before(days: number): Date
}

/** The account that most of the demo is about. */
export type Harbor = {
  id: string
  account: AccountFacts
  owner: Actor
  /** Ids by code. */
  partners: Map<string, string>
}

export const DAY_MS = 86_400_000
/** Days back from today at which visits begin. */
export const FIRST_DAY = 365

/** Returns the moment: whole days mean the afternoon, fractions the exact time. */
export const toMoment = ({ before }: Story, days: number) =>
  Number.isInteger(days) ? new Date(before(days).getTime() + 14.3 * 3_600_000) : before(days)

/** Returns a random moment between morning and evening of that day. */
export const timeOn = ({ before, random }: Story, day: number) =>
  new Date(before(day).getTime() + (8 + 14 * ((random.between(0, 1) + random.between(0, 1)) / 2)) * 3_600_000)

/** Growth over the months, and quiet weekends. */
export function trafficFactor({ before }: Story, day: number) {
  const weekday = before(day).getUTCDay()
  const growth = 0.55 + 0.75 * (1 - day / FIRST_DAY)
  return growth * (weekday === 0 || weekday === 6 ? 0.45 : 1)
}

/** The access that an endpoint would get for this caller. */
export const getAccess = ({ services: { db } }: Story, endpoint: Endpoint, actor: Actor, id: string): Promise<Access> =>
  resolveAccess(db, endpoint, actor, id)

/** This actor, as if the password had just been confirmed. */
export const freshlyConfirmed = ({ clock }: Story, actor: Actor): Actor => ({
  ...actor,
  confirmedAt: clock.now().toISOString(),
})
