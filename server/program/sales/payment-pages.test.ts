import assert from 'node:assert/strict'
import { test } from 'node:test'
import { paymentProviders } from '#contract/sales.ts'
import { atProvider } from './payment-pages.ts'

const pageOf = (provider: string, externalId: string, { livemode = true, account = null as string | null } = {}) =>
  atProvider({ provider, externalId }, { provider, livemode, account }).providerUrl

test('a payment opens in its provider’s dashboard, in the account and the mode it was paid in', () => {
  const [shop, test] = [{ account: 'acct_1Shop' }, { livemode: false }]
  for (const [page, url] of [
    [pageOf('stripe', 'pi_3Paid', shop), 'https://dashboard.stripe.com/acct_1Shop/payments/pi_3Paid'],
    [
      pageOf('stripe', 'ch_3Paid', { ...shop, ...test }),
      'https://dashboard.stripe.com/acct_1Shop/test/payments/ch_3Paid',
    ],
    [pageOf('stripe', 'in_1Paid'), 'https://dashboard.stripe.com/invoices/in_1Paid'],
    [pageOf('paddle', 'txn_01hv8x'), 'https://vendors.paddle.com/transactions-v2/txn_01hv8x'],
    [pageOf('paddle', 'txn_01hv8x', test), 'https://sandbox-vendors.paddle.com/transactions-v2/txn_01hv8x'],
    [pageOf('paypal', '42311647XV020574X'), 'https://www.paypal.com/activity/payment/42311647XV020574X'],
    [pageOf('paypal', '42311647XV020574X', test), 'https://www.sandbox.paypal.com/activity/payment/42311647XV020574X'],
    [
      pageOf('square', 'R2B3Z8WMVt3EAmzYWLZvz7Y69EbZY'),
      'https://squareup.com/dashboard/sales/transactions/R2B3Z8WMVt3EAmzYWLZvz7Y69EbZY',
    ],
    [
      pageOf('square', 'R2B3Z8WMVt3EAmzY', test),
      'https://squareupsandbox.com/dashboard/sales/transactions/R2B3Z8WMVt3EAmzY',
    ],
    [
      pageOf('shopify', '450789469', { account: 'northwind.myshopify.com' }),
      'https://northwind.myshopify.com/admin/orders/450789469',
    ],
    [pageOf('shopify', '450789469'), null],
    [pageOf('shopify', '450789469', { account: 'evil.example/x.myshopify.com' }), null],
    [
      pageOf('woocommerce', '801', { account: 'https://shop.example/store' }),
      'https://shop.example/store/wp-admin/admin.php?page=wc-orders&action=edit&id=801',
    ],
    [pageOf('woocommerce', '801'), null],
    [pageOf('woocommerce', '801', { account: 'javascript:alert(1)' }), null],
    [pageOf('recurly', 'FR1001', { account: 'site7m2p4q8r' }), 'https://app.recurly.com/go/invoices/FR1001'],
    [pageOf('lemon-squeezy', 'orders/2398'), null],
    [
      pageOf('polar', '57107b74-8400-4d80-a2fc-54c2b4239cb3'),
      'https://polar.sh/to/dashboard/sales/57107b74-8400-4d80-a2fc-54c2b4239cb3',
    ],
    [
      pageOf('polar', '57107b74-8400-4d80-a2fc-54c2b4239cb3', test),
      'https://sandbox.polar.sh/to/dashboard/sales/57107b74-8400-4d80-a2fc-54c2b4239cb3',
    ],
    [pageOf('chargebee', 'txn_16BRXX', { account: 'acme' }), 'https://acme.chargebee.com/d/transactions/txn_16BRXX'],
    [
      pageOf('chargebee', 'txn_16BRXX:INV-7', { account: 'acme', ...test }),
      'https://acme-test.chargebee.com/d/transactions/txn_16BRXX',
    ],
    [pageOf('chargebee', 'txn_16BRXX', { account: 'evil.example/acme' }), null],
    [pageOf('chargebee', 'txn_16BRXX'), null],
    [pageOf('generic', 'order-1'), null],
  ] as const)
    assert.equal(page, url)
})

test('an id that isn’t the provider’s own is never part of an address', () => {
  const foreign = [
    '',
    'kim@buyer.example',
    'Kim Buyer',
    '../customers',
    'pi_1/../../x',
    'javascript:alert(1)',
    'pi_1?x',
    'txn_',
    '#',
  ]
  for (const provider of paymentProviders)
    for (const id of foreign)
      for (const account of ['northwind.myshopify.com', 'northwind'])
        assert.equal(pageOf(provider, id, { account }), null, `${provider} ${id}`)
})

test('a sale that a shop reported later too opens there, but keeps its own source', () => {
  const shop = { provider: 'stripe', livemode: true, account: null }
  assert.deepEqual(atProvider({ provider: 'api', externalId: 'pi_3Paid' }, shop), {
    livemode: null,
    providerUrl: 'https://dashboard.stripe.com/payments/pi_3Paid',
  })
  assert.deepEqual(atProvider({ provider: 'api', externalId: 'pi_3Paid' }, null), { livemode: null, providerUrl: null })
  assert.deepEqual(atProvider({ provider: 'stripe', externalId: null }, shop), { livemode: true, providerUrl: null })
})
