import type { ImportKind } from '#contract/imports.ts'

/** Other names of each kind's ID: a customer's ID never identifies their sale. */
export const idNames: Record<ImportKind, readonly string[]> = {
  partners: [],
  leads: ['external id', 'customer id', 'user id', 'lead id', 'id'],
  sales: ['external id', 'order id', 'order number', 'transaction id', 'invoice id', 'sale id', 'id'],
  payouts: ['external id', 'payout id', 'transaction id', 'reference', 'id'],
}

/** Names of a total: the customer's total if there are columns for tax or shipping, else the amount. */
export const totalNames = ['total', 'order total', 'grand total', 'total amount', 'total price', 'amount paid'] as const

/** Other names of columns for these fields; the most likely first. */
export const commonNames: Partial<Record<string, readonly string[]>> = {
  firstName: ['first name', 'given name'],
  lastName: ['last name', 'surname', 'family name'],
  email: ['email address', 'e-mail', 'customer email', 'lead email'],
  phone: ['phone number', 'telephone', 'mobile'],
  company: ['company name', 'organization', 'organisation', 'business name'],
  leadExternalId: ['customer id', 'lead id', 'customer external id'],
  partnerEmail: ['affiliate email', 'partner email', 'promoter email', 'referrer email'],
  referralCode: ['code', 'ref', 'ref code', 'affiliate code', 'referral code', 'token', 'via', 'fpr'],
  parentEmail: ['parent email', 'upline email'],
  promotionCode: ['coupon', 'coupon code', 'promo code', 'promotion code', 'discount code'],
  amount: ['sale amount', 'net amount', 'subtotal', 'order subtotal', 'revenue', 'value', 'payout amount'],
  taxAmount: ['tax', 'vat', 'total tax', 'tax total', 'tax amount', 'sales tax', 'order tax'],
  shippingAmount: [
    'shipping',
    'shipping amount',
    'shipping total',
    'total shipping',
    'shipping cost',
    'order shipping',
  ],
  currency: ['currency code'],
  saleDate: ['date', 'sale date', 'order date', 'created at', 'created'],
  paidOn: ['paid at', 'paid on', 'date'],
  subscriptionId: ['subscription id', 'subscription'],
  description: ['product', 'product name', 'item'],
  commission: ['commission amount', 'affiliate commission', 'earnings'],
  commissionStatus: ['commission status', 'commission state'],
  note: ['notes', 'comment'],
  status: ['state'],
  state: ['status'],
}
