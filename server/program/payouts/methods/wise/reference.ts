import { payoutName } from '../../payout-number.ts'

/** The reference on the recipient's statement: Wise takes ten characters. */
export const referenceOf = (payout: Parameters<typeof payoutName>[0]) => payoutName(payout).slice(0, 10)
