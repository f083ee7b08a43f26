import { z } from 'zod'
import { apiLimit, endpoint, rights } from '#contract/endpoint.ts'
import { EnteredAmount, Id, Instant } from '#contract/values.ts'

/** Its calls follow those of this group in the reference. */
export const listedAfter = 'bulk-actions'

export const rehearsalSteps = ['click', 'lead', 'sale', 'commission', 'refund', 'webhook', 'clean-up'] as const
export type RehearsalStep = (typeof rehearsalSteps)[number]

/** `warning`: it succeeded, but a real sale may not. `failed`: all later steps except the clean-up are `skipped`. */
export const rehearsalStates = ['waiting', 'running', 'done', 'warning', 'failed', 'skipped'] as const

/** Screens for fixing the cause of a failed step. */
export const rehearsalFixes = [
  'links',
  'partners',
  'embed-code',
  'push-data',
  'payment-providers',
  'commission',
  'outgoing-webhooks',
] as const

/**
 * A sale that was played through: everything a click, a lead, a sale and a refund would do was done and undone, so it
 * is counted nowhere. `detail` is a step's result, or why it stopped.
 */
export const Rehearsal = z
  .object({
    id: Id,
    accountId: Id,
    state: z.enum(['running', 'passed', 'failed']),
    steps: z.array(
      z.object({
        step: z.enum(rehearsalSteps),
        state: z.enum(rehearsalStates),
        detail: z.string().nullable(),
        fix: z.enum(rehearsalFixes).nullable(),
      }),
    ),
    createdAt: Instant,
    finishedAt: Instant.nullable(),
  })
  .meta({ id: 'Rehearsal' })
export type Rehearsal = z.infer<typeof Rehearsal>

/**
 * Defaults: the longest-active partner (a fictitious one if there is none); the newest enabled link; 100 of the
 * account's currency.
 */
export const NewRehearsal = z
  .strictObject({ partnerId: Id.nullish(), blueprintId: Id.nullish(), amount: EnteredAmount.nullish() })
  .meta({ id: 'NewRehearsal' })
export type NewRehearsal = z.infer<typeof NewRehearsal>

export const startRehearsal = endpoint('startRehearsal', 'POST /accounts/:id/rehearsals', {
  summary: 'Play a sale through from the click to the refund, without counting or saving anything',
  allow: rights.earn,
  limit: { name: 'rehearsal', perMinute: 6, by: 'user' },
  subject: 'account',
  body: NewRehearsal,
  status: 202,
  reply: Rehearsal,
})

export const getRehearsal = endpoint('getRehearsal', 'GET /accounts/:id/rehearsals/:rehearsalId', {
  summary: 'Retrieve the progress or result of a rehearsal; it is deleted after a day',
  allow: rights.read,
  limit: apiLimit,
  subject: 'account',
  params: z.strictObject({ id: Id, rehearsalId: Id }),
  reply: Rehearsal,
})
