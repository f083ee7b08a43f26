import { formatNumber, formatPlural, type Word } from '#contract/format.ts'
import { defineWords } from '#contract/words.ts'

/** Why a sale or a commission is what it is, as its partner reads it too. */
export const salePhrases = defineWords('sale-phrases', 'server', {
  hold: {
    review: 'Under review',
    disputed: 'The payment is disputed',
    voided: 'The sale was voided',
    goal: 'The goal is judged again before it is paid',
    wait: ({ count }: { count: number }) =>
      formatPlural(
        count,
        `Waiting period, currently ${formatNumber(count)} day`,
        `Waiting period, currently ${formatNumber(count)} days`,
      ),
    waitAfterSale: ({ count }: { count: number }) =>
      formatPlural(
        count,
        `Waiting period after the sale, currently ${formatNumber(count)} day`,
        `Waiting period after the sale, currently ${formatNumber(count)} days`,
      ),
  },
  /** Why a rule of the terms did not match. */
  rule: {
    unnamed: 'Unnamed item',
    noCountry: 'No country known',
    otherCountry: 'Another country',
    noCode: 'No partner’s code was used',
    code: 'A partner’s code was used',
    payment: ({ place, first }: { place: Word; first: Word }) => `Payment ${place}; this rule pays the first ${first}`,
    paymentNotCounted: ({ first }: { first: Word }) => `Payment not counted; this rule pays the first ${first}`,
    months: ({ count }: { count: number }) =>
      formatPlural(
        count,
        `After the customer’s first ${formatNumber(count)} month`,
        `After the customer’s first ${formatNumber(count)} months`,
      ),
    amountFrom: ({ from }: { from: Word }) => `This rule pays sales from ${from}`,
    amountTo: ({ to }: { to: Word }) => `This rule pays sales up to ${to}`,
    amountBetween: ({ from, to }: { from: Word; to: Word }) => `This rule pays sales from ${from} up to ${to}`,
    otherAmount: 'Another amount',
    metadata: 'Other details of the sale',
    metadataOfLead: 'Other details of the lead',
    otherProduct: 'Another product',
    noProduct: 'No product known',
  },
  /** Which rule found the lead of a sale. */
  match: {
    none: 'No rule matched a lead for this sale',
    click: 'The sale came with a click on the partner’s link, within its attribution window',
    code: 'The sale came with the partner’s referral code',
    'lead-id': 'The sale came with the lead’s ID',
    customer: 'The customer was already known as this lead',
    'external-id': 'The customer ID matches the lead’s external ID',
    coupon: 'The sale used the partner’s promotion code',
    email: 'The payer’s email matches the lead’s',
    manual: 'Someone recorded or attributed it manually',
    'last-touch': 'Until the first sale, the last touch counts',
    'first-touch': 'The first touch counts',
    ownClick: 'Each order of a returning customer goes to its last click',
    renewed: 'Renewals follow their subscription’s first sale, which was this partner’s',
    staysWith: ({ why, partner }: { why: Word; partner: Word }) => `${why}; the customer stays with ${partner}`,
    theirPartner: 'their partner',
    staysAlone: ({ why }: { why: Word }) => `${why}; the customer stays without a partner`,
  },
})
