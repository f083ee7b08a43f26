import { Email, GivenReferralCode, orEmpty } from '#contract/values.ts'

/** Fields by which a row names its partner. */
export const ofPartner = {
  partnerEmail: orEmpty(Email).optional(),
  referralCode: orEmpty(GivenReferralCode).optional(),
}

/** Converts values to their fields' types: all text except amounts. */
export const typed = (values: Record<string, string | number>, amounts: readonly string[] = []) =>
  Object.fromEntries(
    Object.entries(values).map(([field, value]) => [field, amounts.includes(field) ? value : String(value)]),
  )
