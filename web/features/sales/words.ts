import { labelInSentence, toClause } from '#contract/format.ts'
import { paymentProviders, type Receipt, type Sale, type SaleProvider } from '#contract/sales.ts'
import { formatDate, formatMoney } from '../../format.ts'
import { saleWords } from '../../words/leads.ts'
import { providerWords } from '../../words/shell.ts'

/** 'Stripe', 'Added by hand'. */
export const providerLabel = (provider: SaleProvider): string =>
  isPaymentProvider(provider) ? providerWords[provider] : saleWords.providers[provider]

/** 'added by Stripe', 'added by hand'. */
export const addedBy = (provider: SaleProvider): string =>
  isPaymentProvider(provider)
    ? saleWords.addedBy.provider({ provider: providerLabel(provider) })
    : saleWords.addedBy[provider]

type OfPaymentProvider = (typeof paymentProviders)[number]

export const isPaymentProvider = (provider: SaleProvider): provider is OfPaymentProvider =>
  (paymentProviders as readonly string[]).includes(provider)

/** Returns a reason for use inside a sentence: without its capital and full stop. */
export const inSentence = (reason: string) => toClause(labelInSentence(reason))

/** Returns the action that opens a payment at its provider to refund it; null if there is none. */
export function refundAtProvider({
  provider,
  providerUrl,
}: {
  provider: SaleProvider | null
  providerUrl: string | null
}) {
  if (!provider || !providerUrl || !isPaymentProvider(provider)) return null
  return { label: saleWords.actions.refundAt({ provider: providerLabel(provider) }), href: providerUrl }
}

/** Returns Stripe's page of the customer who paid; null for other providers. */
export function customerAtStripe({
  provider,
  providerCustomerId: id,
  livemode,
}: Pick<Sale, 'providerCustomerId' | 'livemode'> & { provider: SaleProvider | null }) {
  if (provider !== 'stripe' || !id?.startsWith('cus_')) return null
  return `https://dashboard.stripe.com/${livemode === false ? 'test/' : ''}customers/${encodeURIComponent(id)}`
}

type Named = Pick<Sale, 'amount' | 'currency' | 'accountCurrency' | 'saleDate'>

/** Returns '$1,480.00 sale on Nov 20, 2026'. */
export function saleName({ amount, currency, accountCurrency, saleDate }: Named) {
  const date = formatDate(saleDate)
  if (amount === null) return saleWords.namedPlain({ date })
  return saleWords.named({ amount: formatMoney(amount, currency, accountCurrency), date })
}

/** Returns 'Receipt for $12.00'. */
export const receiptName = ({ entry: { amount, currency } }: Receipt) =>
  saleWords.receipt.named({ amount: formatMoney(amount, currency) })

/** Returns the promotion codes that buyers know, without a provider's ids of them unless there is nothing else. */
export function shownCodes(codes: readonly string[]): readonly string[] {
  const texts = codes.filter((code) => !/^(PROMO|DSC)_/.test(code))
  return texts.length > 0 ? texts : codes
}

/** Returns the ids of the leads of sales on a page of a list, once each, in its order. */
export const leadsAmong = (items: readonly { leadId: string | null }[] | undefined) =>
  items && [...new Set(items.flatMap(({ leadId }) => leadId ?? []))]
