import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { oneOrMany, PushResults, pushCall } from './push.ts'
import {
  EnteredInstant,
  GivenReferralCode,
  Id,
  Instant,
  optionalText,
  orEmpty,
  plainText,
  trimmedText,
} from './values.ts'

export const NewPushedClick = z
  .strictObject({
    blueprintKey: orEmpty(plainText(64)).optional(),
    referralCode: GivenReferralCode,
    url: optionalText(2048).optional(),
    referrer: optionalText(2048).optional(),
    ip: orEmpty(
      trimmedText(45, 'Enter an IP address').pipe(
        z.union([z.ipv4('Enter an IP address'), z.ipv6('Enter an IP address')]),
      ),
    ).optional(),
    userAgent: optionalText(1000).optional(),
    subId: optionalText(1000).optional(),
    at: EnteredInstant.nullish(),
  })
  .meta({ id: 'NewPushedClick' })
export type NewPushedClick = z.infer<typeof NewPushedClick>

export const PushedClick = z
  .object({ id: Id, partnerId: Id, blueprintId: Id.nullable(), at: Instant })
  .meta({ id: 'PushedClick' })
export type PushedClick = z.infer<typeof PushedClick>

export const pushClicks = endpoint('pushClicks', 'POST /push/clicks', {
  ...pushCall,
  tag: 'push',
  summary: 'Record clicks counted by another system',
  body: oneOrMany(NewPushedClick),
  reply: z.union([PushedClick, PushResults]),
})
