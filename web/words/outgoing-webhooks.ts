import { formatNumber, formatPlural, type Word } from '#contract/format.ts'
import { mergeParts } from '#contract/merge-parts.ts'
import * as features from '#features/index.text.ts'

/** The words of the screens of outgoing webhooks. */
export const outgoingWebhookWords = {
  paused: 'Deliveries are paused: this database may be an older copy. They’ll resume when payouts do.',
  plural: 'outgoing webhooks',
  thing: 'outgoing webhook',
  gone: 'This outgoing webhook doesn’t exist, or it was deleted.',
  urlHelp: 'Events are sent here in POST requests.',
  formatHelp: 'JSON for programs. The others post a message that people can read, with a link.',
  formats: { json: 'JSON', slack: 'Slack message', teams: 'Microsoft Teams message', discord: 'Discord message' },
  events: ({ count }: { count: number }) => formatPlural(count, `${count} event`, `${count} events`),
  allEvents: 'All events',
  about: {
    ...mergeParts(features, 'subjects'),
    lead: 'Leads',
    sale: 'Sales',
    commission: 'Commissions',
    payout: 'Payouts',
    'payment-file': 'Payment files',
    invoice: 'Invoices',
    partner: 'Partners',
    'promotion-code': 'Promotion codes',
    application: 'Applications',
    group: 'Groups',
    'link-blueprint': 'Links',
    'payment-provider': 'Payment providers',
  },
  enabledHelp: 'When off, events aren’t sent.',
  headersHelp:
    'Sent with every delivery, such as an API key your receiver expects. Values are encrypted and never shown again.',
  headerAt: ({ number }: { number: Word }) => `Header ${number}`,
  headerName: 'Header Name',
  headerValue: 'Header Value',
  headerTwice: 'Use each header name once',
  kept: '••• (unchanged)',
  showHeader: 'Show value',
  addHeader: 'Add header',
  removeHeader: ({ number }: { number: Word }) => `Remove header ${number}`,

  healthHead: 'Health',
  health: {
    working: 'Working',
    unused: 'Unused',
    failing: 'Failing',
    stopped: 'Turned off',
    off: 'Turned off',
  },
  lastDelivery: 'Last delivery',
  created: ({ date }: { date: Word }) => `Created ${date}`,
  edit: 'Edit',
  sendTest: 'Send test',
  testSent: 'Test event sent',

  failed: ({ count }: { count: number }) =>
    formatPlural(count, `${count} delivery failed.`, `${count} deliveries in a row failed.`),
  failedHelp: 'After 20 failures in a row, this webhook is turned off. You can resend failed deliveries.',
  showFailed: 'Show failed',
  isOff: 'This webhook is turned off.',
  isOffHelp: 'Events that happen while it’s off aren’t sent.',
  isStoppedHelp: 'Turn it on once the receiver works, then resend the failed deliveries.',
  turnOn: 'Turn on',

  secret: {
    heading: 'Signing secret',
    label: 'Signing Secret',
    why: 'Your receiver uses this secret to verify that deliveries come from this account.',
    both: 'For the next 24 hours, deliveries are signed with both the old and the new secret.',
  },
  rotate: {
    button: 'Rotate secret',
    heading: 'Rotate secret?',
    text: 'You get a new secret. For 24 hours, deliveries are signed with both, so your receiver can switch without missing any.',
  },
  resendFailed: {
    button: 'Resend failed',
    heading: 'Resend failed deliveries',
    since: 'Deliveries From',
    periods: { day: 'Last 24 hours', week: 'Last 7 days', month: 'Last 30 days', quarter: 'Last 90 days' },
    help: 'Only deliveries that have run out of retries. Those still retrying continue on their own.',
    count: ({ count }: { count: number }) =>
      formatPlural(
        count,
        `${count} failed delivery will be resent.`,
        `${count} failed deliveries will be resent, including any the list’s filters hide.`,
        'No deliveries failed in this period.',
      ),
    many: 'More than 1,000 failed deliveries will be resent, including any the list’s filters hide.',
    done: ({ count }: { count: number }) =>
      formatPlural(
        count,
        `Resending ${count} delivery`,
        `Resending ${count} deliveries`,
        'No failed deliveries to resend',
      ),
  },

  deliveries: 'Deliveries',
  deliveriesPlural: 'deliveries',
  noDeliveries: 'Deliveries appear here as events happen. Send a test to see the first one.',
  delivery: {
    attempts: 'Attempts',
    nextTry: 'Next try',
    notDelivered: 'Retrying or failed',
    notSent: 'Not sent',
    answerLabel: 'Response',
    answer: ({ code, ms }: { code: Word; ms: number }) => `${code} in ${formatNumber(ms)} ms`,
    sent: 'Sent',
    answered: 'Response',
    forgotten: 'The contents of this event were deleted after 90 days.',
    resend: 'Resend',
    resent: 'Resending delivery',
  },

  samples: {
    heading: 'Verify deliveries',
    help: 'Deliveries are signed following the Standard Webhooks specification. These sample receivers check the signature and the timestamp; set WEBHOOK_SECRET to the signing secret.',
    languages: 'Sample language',
    copy: 'Copy sample',
    package: 'Node',
    node: 'Node without packages',
    python: 'Python',
    php: 'PHP',
    go: 'Go',
  },
}
