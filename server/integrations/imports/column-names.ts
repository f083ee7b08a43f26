import type { ImportKind } from '#contract/imports.ts'

const listed = (names: string): readonly string[] => names.split(', ')

/** Other names of each kind's ID: a customer's ID never identifies their sale. */
export const idNames: Record<ImportKind, readonly string[]> = {
  partners: [],
  leads: listed('external id, customer id, user id, lead id, id'),
  sales: listed(
    'external id, order id, order number, transaction id, invoice id, sale id, purchase code, purchase id, conversion id, id',
  ),
  payouts: listed('external id, payout id, transaction id, reference, id'),
}

/** Names of a total: the customer's total if there are columns for tax or shipping, else the amount. */
export const totalNames = listed('total, order total, grand total, total amount, total price, amount paid')

/** Names of a first and a last name in one column. */
export const wholeNames = listed('name, full name, contact name')

/** Names of what was bought: beside them, a bare amount is the commission. */
export const saleAmountNames = listed('sale amount, order amount, purchase amount')

/** Names of an address: beside them, a state is a part of it. */
export const addressNames = listed('country, country code, city, address, zip, zip code, postal code, postcode')

/** Names of columns that no list of payouts has. */
export const buyerNames = listed(
  'customer email, customer id, lead email, order id, sale amount, sale.sale_amount_cents',
)

/** Other names of columns for these fields; the most likely first. */
export const commonNames: Partial<Record<string, readonly string[]>> = {
  firstName: listed('first name, given name'),
  lastName: listed('last name, surname, family name'),
  email: listed('email address, e-mail, customer email, lead email'),
  phone: listed('phone number, telephone, mobile'),
  company: listed('company name, organization, organisation, business name'),
  leadExternalId: listed('customer id, lead id, customer external id'),
  partnerEmail: listed('affiliate email, partner email, promoter email, referrer email'),
  referralCode: listed(
    'code, ref, ref code, ref id, affiliate code, referral code, tracking parameter, token, via, fpr',
  ),
  earlierCodes: listed('earlier code, old code, old codes, referral link, affiliate link, partner link'),
  parentEmail: listed('parent email, upline email'),
  group: listed('group name'),
  promotionCode: listed('coupon, coupon code, promo code, promotion code, discount code'),
  amount: listed('sale amount, net amount, subtotal, order subtotal, revenue, value, payout amount'),
  taxAmount: listed('tax, vat, total tax, tax total, tax amount, sales tax, order tax'),
  shippingAmount: listed('shipping, shipping amount, shipping total, total shipping, shipping cost, order shipping'),
  currency: ['currency code'],
  saleDate: listed('date, sale date, order date, created at, created'),
  paidOn: listed('paid at, paid on, date'),
  subscriptionId: listed('subscription id, subscription'),
  description: listed('product, product name, item'),
  commission: listed('commission amount, affiliate commission, earnings'),
  commissionStatus: listed('commission status, commission state'),
  note: listed('notes, comment'),
  status: ['state'],
  state: ['status'],
}
