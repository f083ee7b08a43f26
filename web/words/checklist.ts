import { formatNumber, formatPlural, type Word } from '#contract/format.ts'

/** The owner's first steps: each step's name, its use, and its result. */
export const checklistWords = {
  heading: 'Get started',
  done: ({ done, total }: { done: Word; total: Word }) => `${done} of ${total} done`,
  hide: 'Hide',
  'payment-provider': 'Connect a payment provider',
  'payment-provider_why': 'Sales sync automatically.',
  'payment-provider_is': ({ provider, account }: { provider: Word; account: Word }) => `${provider}, ${account}`,
  partner: 'Add your first partner',
  partner_why: 'Partners refer leads to you.',
  partner_is: ({ count }: { count: number }) =>
    formatPlural(count, `${formatNumber(count)} partner`, `${formatNumber(count)} partners`),
  link: 'Create a link',
  link_why: 'Partners share it, and you see every click.',
  link_is: 'Ready to share',
  'embed-or-api': 'Install the embed code or use the API',
  'embed-or-api_why': 'Capture leads from the forms on your site.',
  'embed-or-api_is': 'Ready to receive leads',
  sale: 'Record a first sale',
  sale_why: 'Commission is calculated right away.',
  sale_is: ({ count }: { count: number }) =>
    formatPlural(count, `${formatNumber(count)} sale`, `${formatNumber(count)} sales`),
  payouts: 'Set up payouts',
  payouts_why: 'You pay manually until you set up a payout method.',
  payouts_is: 'Ready to pay partners',
  pay: ({ partner }: { partner: Word }) => `Pay ${partner}`,
  play: 'See what happens with a sale, from the click to the commission. Nothing is saved.',
}
