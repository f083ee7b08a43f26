/** The words of the owner's first steps. */
export const checklistWords = {
  heading: 'Get started',
  done: '{{done}} of {{total}} done',
  hide: 'Hide',
  isDone: 'Done',
  'payment-provider': 'Connect a payment provider',
  'payment-provider_why': 'Sales arrive by themselves.',
  partner: 'Add your first partner',
  partner_why: 'Partners refer leads to you.',
  link: 'Create a link',
  link_why: 'Partners share it, clicks are counted.',
  'embed-or-api': 'Install the embed code or use the API',
  'embed-or-api_why': 'Catch leads from the forms on your site.',
  sale: 'Record a first sale',
  sale_why: 'Commission is booked at once.',
  payouts: 'Set up payouts',
  payouts_why: 'Paid by hand until you load your Wise profile.',
} as const
