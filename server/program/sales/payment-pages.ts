import type { PaymentProvider, Sale } from '#contract/sales.ts'

/** A shop that took a payment. `account`: its id at the provider; Shopify's is its domain, WooCommerce's its address. */
export type PaidShop = { provider: string; livemode: boolean; account: string | null }

type Payment = { id: string; livemode: boolean; account: string | null }

/**
 * A payment's page in the dashboard of each provider; null if the id doesn't name one. Only ids in the provider's own
 * form are linked, so an address never contains anything personal. The adapters can't answer this: sales are presented
 * below them.
 */
const pages: Record<PaymentProvider, (payment: Payment) => string | null> = {
  // the account opens the right one for people with several, and is required in a sandbox
  stripe({ id, livemode, account }) {
    const part = /^(pi|ch|py)_\w+$/.test(id) ? 'payments' : /^in_\w+$/.test(id) ? 'invoices' : null
    const own = account && /^acct_\w+$/.test(account) ? `${account}/` : ''
    return part && `https://dashboard.stripe.com/${own}${livemode ? '' : 'test/'}${part}/${id}`
  },
  paddle: ({ id, livemode }) =>
    /^txn_[a-z\d]+$/.test(id) ? `https://${livemode ? '' : 'sandbox-'}vendors.paddle.com/transactions-v2/${id}` : null,
  paypal: ({ id, livemode }) =>
    /^[A-Z\d]{13,20}$/.test(id) ? `https://www.${livemode ? '' : 'sandbox.'}paypal.com/activity/payment/${id}` : null,
  square: ({ id, livemode }) =>
    /^[\w-]{10,192}$/.test(id)
      ? `https://${livemode ? 'squareup' : 'squareupsandbox'}.com/dashboard/sales/transactions/${id}`
      : null,
  // its pages are named by an order's identifier, and payments are known by the order's number
  'lemon-squeezy': () => null,
  shopify: ({ id, account }) =>
    /^\d+$/.test(id) && account && /^[a-z\d-]+\.myshopify\.com$/.test(account)
      ? `https://${account}/admin/orders/${id}`
      : null,
  // a store that keeps orders as posts leads on to their page
  woocommerce: ({ id, account }) =>
    /^\d{1,20}$/.test(id) && account && /^https?:\/\/[^\s?#@]+$/.test(account)
      ? `${account}/wp-admin/admin.php?page=wc-orders&action=edit&id=${id}`
      : null,
  // its pages are named by an organization's name too, which this address fills in
  polar: ({ id, livemode }) =>
    /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(id)
      ? `https://${livemode ? '' : 'sandbox.'}polar.sh/to/dashboard/sales/${id}`
      : null,
  // of several invoices paid at once, each sale opens their transaction
  chargebee({ id, livemode, account }) {
    const [, transaction] = /^(txn_\w+)(?::|$)/.exec(id) ?? []
    return transaction && account && /^[a-z\d-]+$/.test(account)
      ? `https://${account}${livemode ? '' : '-test'}.chargebee.com/d/transactions/${transaction}`
      : null
  },
  // opens the site that the person has open in Recurly
  recurly: ({ id }) => (/^[A-Z]{0,5}\d{1,15}$/.test(id) ? `https://app.recurly.com/go/invoices/${id}` : null),
  generic: () => null,
}

/** Returns a sale's mode and its payment's page at the provider. */
export function atProvider(
  { provider, externalId }: { provider: string | null; externalId: string | null },
  shop: PaidShop | null,
): Pick<Sale, 'livemode' | 'providerUrl'> {
  if (!shop) return { livemode: null, providerUrl: null }
  const { livemode, account } = shop
  const page = externalId === null ? undefined : pages[shop.provider as PaymentProvider]
  return {
    livemode: shop.provider === provider ? livemode : null,
    providerUrl: page?.({ id: externalId!, livemode, account }) ?? null,
  }
}
