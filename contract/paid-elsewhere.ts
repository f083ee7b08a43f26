/**
 * Whether the money of a payment went elsewhere, and comes back there: an invoice of Stripe's that was paid by wire, for
 * example, is a payment under its own ID.
 */
export const isPaidElsewhere = (sale: { provider: string | null; externalId: string | null }) =>
  sale.provider === 'stripe' && sale.externalId !== null && sale.externalId.startsWith('in_')
