import { payoutName } from '../../payout-number.ts'

/** Returns the reference on the recipient's statement: Wise accepts ten characters. */
export const referenceOf = (payout: Parameters<typeof payoutName>[0]) => payoutName(payout).slice(0, 10)
