/** The words around the help pages; the pages themselves are in features/help/pages. */
export const helpWords = {
  heading: 'Help',
  all: 'All help pages',
  docs: 'Docs of this version',
  docsAbout: 'Concepts, each integration step by step with pictures, and hosting Tributary yourself.',
  none: 'There are no help pages for you yet.',
  notFound: 'This help page doesn’t exist, or isn’t for your role.',
  titles: {
    'getting-started': 'Getting started',
    'links-and-attribution': 'Links and attribution',
    commissions: 'Commissions and holds',
    payouts: 'Payouts',
    'being-paid': 'Being paid',
    'tax-years': 'Tax years',
    'payment-providers': 'Payment providers',
    'incoming-webhooks': 'Incoming webhooks',
    'outgoing-webhooks': 'Outgoing webhooks',
    'push-data': 'Push data',
    'embed-code': 'Embed code',
    'imports-and-exports': 'Imports and exports',
    'accounts-and-mail': 'Accounts and mail',
    backups: 'Backups',
  },
} as const

/** The use of each integration and settings tab, in two sentences, with its help page. */
export const howItWorksWords = {
  heading: 'How this works',
  'payment-providers':
    'Your provider tells us of payments, refunds and disputes, and each is matched to the lead who paid. What nothing matches is kept, for you to attribute.',
  'incoming-webhooks':
    'Other systems send whatever they have to a secret address, and you say which part of it is which field. Nothing is lost: what fails can be replayed.',
  'outgoing-webhooks':
    'Each event is sent to your address, signed, and tried again until it’s accepted. Receivers check the signature with the webhook’s secret.',
  'push-data':
    'Your own systems send leads, sales and refunds with this key. Sending the same thing twice counts once.',
  'embed-code':
    'A small script on your pages remembers who referred a visitor and sends the leads of your forms. It never delays a form.',
  general:
    'Reports and payouts count in this currency and time zone. Sales in other currencies are converted by the day’s rate.',
  commission:
    'Each sale earns the referring partner the first rate. The partners above them earn the others, one layer each.',
  attribution:
    'A lead belongs to the partner whose click brought it within the link’s cookie window. Protection says how long others can’t claim it.',
  partners:
    'You decide what partners see of their leads and sales. Profit, your notes and what others earn stay yours alone.',
  payouts:
    'A commission is due once the delay after its sale has passed, and gathers in one payout for each partner. With Wise approved payouts are sent for you; otherwise you pay and mark them.',
  data: 'Import brings partners, leads, sales and payouts from other systems. Export takes everything with you but bank details and secrets.',
  activity:
    'Every change of rates, money, access and settings stands here, with who made it and when. Nobody can change or delete what stands here.',
  'partner-settings':
    'Commissions are paid to these bank details. A payout is sent once it’s due, above the minimum and approved for the year.',
} as const
