import { formatNumber, formatPlural, type Word } from '#contract/format.ts'

/** The words of the dialog that plays a sale through. The server words each step's result. */
export const rehearsalWords = {
  heading: 'Play a sale through',
  about:
    'A test click, lead, sale and refund run through your real setup. They aren’t counted anywhere and are removed afterwards.',
  starting: 'Starting...',
  playing: ({ step }: { step: Word }) => `Playing: ${step}`,
  passed: 'Everything worked.',
  toCheck: ({ count, steps }: { count: number; steps: Word }) =>
    formatPlural(count, `One thing to check: ${steps}`, `${formatNumber(count)} things to check: ${steps}`),
  failed: ({ step }: { step: Word }) => `It stopped at: ${step}`,
  again: 'Play again',
  steps: {
    click: 'Click',
    lead: 'Lead',
    sale: 'Sale',
    commission: 'Commission',
    refund: 'Refund',
    webhook: 'Webhook',
    'clean-up': 'Clean-up',
  },
  states: {
    waiting: 'Waiting',
    running: 'Running',
    done: 'Done',
    warning: 'Check this',
    failed: 'Failed',
    skipped: 'Skipped',
  },
  fixes: {
    links: 'Go to links',
    partners: 'Go to partners',
    'embed-code': 'Go to the embed code',
    'push-data': 'Go to push data',
    'payment-providers': 'Go to payment providers',
    commission: 'Go to commission settings',
    'outgoing-webhooks': 'Go to outgoing webhooks',
  },
}
