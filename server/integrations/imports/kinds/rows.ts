import { Email, GivenReferralCode, orEmpty } from '#contract/values.ts'

/** How a row names its partner. */
export const ofPartner = {
  partnerEmail: orEmpty(Email).optional(),
  referralCode: orEmpty(GivenReferralCode).optional(),
}

/** Values as their fields take them: all text but those that are amounts. */
export const typed = (values: Record<string, string | number>, amounts: readonly string[] = []) =>
  Object.fromEntries(
    Object.entries(values).map(([field, value]) => [field, amounts.includes(field) ? value : String(value)]),
  )
