import { z } from 'zod'
import { apiLimit, endpoint, rights } from './endpoint.ts'
import { plainText, trimmedText } from './values.ts'

export const fraudRules = [
  'self-referral',
  'existing-customer',
  'paid-ads',
  'banned-referrer',
  'duplicate-partner',
  'refund-rate',
  'speed',
  'disposable-mail',
] as const
export type FraudRule = (typeof fraudRules)[number]

export const fraudActions = ['off', 'flag', 'hold'] as const
const action = z.enum(fraudActions)

const MOST_VALUES = 200

/** A host, with `*` for any beginning or end: `*.coupons.example`, `deals*`. */
const BannedHost = trimmedText(253)
  .toLowerCase()
  .refine((host) => /^\*?[a-z0-9.-]+\*?$/.test(host), 'Enter a host such as *.coupons.example')

const whole = (least: number, most: number) => {
  const message = `Enter ${least} to ${most}`
  return z.int(message).min(least, message).max(most, message)
}

/**
 * The rules that look for fraud besides `selfReferralPolicy` of the account. `flag` opens a case, `hold` also holds the
 * commission until it is decided, for 30 days at most. `campaigns` are the account's own advertising, no finding.
 */
export const FraudRules = z
  .strictObject({
    existingCustomer: z.strictObject({ action }),
    paidAds: z.strictObject({
      action,
      campaigns: z
        .array(plainText(200).min(1, 'Enter a value'))
        .max(MOST_VALUES, `Use at most ${MOST_VALUES} campaigns`),
    }),
    bannedReferrer: z.strictObject({
      action,
      hosts: z.array(BannedHost).max(MOST_VALUES, `Use at most ${MOST_VALUES} hosts`),
    }),
    duplicatePartner: z.strictObject({ action }),
    /** In percent of a partner’s customers of 90 days. */
    refundRate: z.strictObject({ action, percent: whole(1, 100) }),
    speed: z.strictObject({ action, leadsPerHour: whole(1, 1000) }),
    disposableMail: z.strictObject({ action }),
  })
  .meta({ id: 'FraudRules' })
export type FraudRules = z.infer<typeof FraudRules>

/** The rules to change; the others stay. */
export const FraudRulesChange = FraudRules.partial()
export type FraudRulesChange = z.infer<typeof FraudRulesChange>

/** The rules of an account that has saved none. */
export const noFraudRules: FraudRules = {
  existingCustomer: { action: 'off' },
  paidAds: { action: 'off', campaigns: [] },
  bannedReferrer: { action: 'off', hosts: [] },
  duplicatePartner: { action: 'off' },
  refundRate: { action: 'off', percent: 25 },
  speed: { action: 'off', leadsPerHour: 20 },
  disposableMail: { action: 'off' },
}

export const getFraudRules = endpoint('getFraudRules', 'GET /accounts/:id/fraud-rules', {
  summary: 'Retrieve the rules that look for fraud',
  allow: rights.read,
  limit: apiLimit,
  subject: 'account',
  reply: FraudRules,
})

export const saveFraudRules = endpoint('saveFraudRules', 'PUT /accounts/:id/fraud-rules', {
  summary: 'Update the rules that look for fraud; sales already judged stay as they are',
  allow: rights.earn,
  limit: apiLimit,
  subject: 'account',
  body: FraudRulesChange,
  reply: FraudRules,
})
