import type { Word } from '#contract/format.ts'
import { defineWords } from '#contract/words.ts'

type Why = { why: Word }
type Batch = { batch: Word }

/** Sentences about payments that are stored with payouts, in English. Those of PayPal stay as PayPal wrote them. */
export const paypalReasons = defineWords('paypal-reasons', 'server', {
  onHold: 'PayPal is reviewing this payment.',
  unknownState: ({ state }: { state: Word }) =>
    `PayPal says ${state} of this payment, which Tributary doesn’t know. Check it on paypal.com.`,
  noState: 'PayPal says nothing of this payment, which Tributary doesn’t know. Check it on paypal.com.',
  returned: 'PayPal returned the money.',
  denied: 'PayPal denied the payment.',
  ended: {
    RETURNED: 'The payment wasn’t claimed, so PayPal returned the money.',
    REFUNDED: 'The recipient refunded the payment.',
    REVERSED: 'PayPal reversed the payment.',
  },
  otherPayment: 'PayPal shows another payment.',
  otherAmount: 'The payment in PayPal has a different amount than was approved.',
  otherAddress: 'The payment in PayPal goes to a different address than was approved.',
  unreadable: 'The payout details can’t be read. Ask the partner to enter them again.',
  unsure: ({ why }: Why) => `It isn’t known whether PayPal took this payment. ${why}`,
  look: ({ batch }: Batch) => `Look for ${batch} on paypal.com.`,
  hasBatch: ({ batch }: Batch) => `PayPal already has a batch ${batch}: look for it on paypal.com.`,
  says: ({ words }: { words: Word }) => `PayPal says: ${words}`,
  withheld: ({ why }: Why) => `This PayPal account can’t see the payment: ${why}`,
  credentialsRejected: 'PayPal rejected the client ID or the secret.',
  noPermission: 'This app doesn’t have permission for this in PayPal.',
  answered: ({ status }: { status: Word }) => `PayPal answered ${status}.`,
})
