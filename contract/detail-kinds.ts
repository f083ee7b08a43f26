/** Kinds of payout details. Details without a kind are a bank account in the United States. */
export const detailKinds = ['us-bank', 'iban', 'local-bank', 'paypal'] as const
export type DetailKind = (typeof detailKinds)[number]
