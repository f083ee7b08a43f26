import type { UsualEmail } from '#contract/editable-email.ts'
import { mergeParts } from '#contract/merge-parts.ts'
import * as features from '#features/index.emails.ts'
import type { EmailTemplateKind } from './contract.ts'

/**
 * The emails whose text can be changed, and a text to begin with: near the usual one, which adapts itself to each case
 * and is not a template.
 */
export const usualEmails: Record<EmailTemplateKind, UsualEmail> = {
  ...mergeParts(features, 'usualEmails'),
  invitation: {
    title: 'Invitation',
    description: 'Invites a partner to join, also after their application was approved.',
    subject: 'Your invitation to the partner program of {{company}}',
    body: `Hello {{partner_first_name}},

{{company}} invites you to join its partner program.

{{button}}

The link works for 7 days. If you weren’t expecting this invitation, you can ignore this email.`,
  },
  'application-confirm': {
    title: 'Application to confirm',
    description: 'Asks an applicant to confirm their email.',
    subject: 'Confirm your application to {{company}}',
    body: `Hello {{partner_first_name}},

You asked to become a partner of {{company}}. Confirm your email to send your application.

{{button}}

The link works for 7 days. If you didn’t apply, you can ignore this email.`,
  },
  'application-rejected': {
    title: 'Application rejected',
    description: 'Tells an applicant that they weren’t accepted.',
    subject: 'Your application to {{company}}',
    body: `Hello {{partner_first_name}},

Thank you for applying. We can’t accept your application.

{{reason}}`,
  },
  'sale-credited': {
    title: 'Sale credited',
    description: 'A partner earned commissions.',
    subject: 'You earned {{amount}}',
    body: `You earned {{amount}} in commission from {{company}}.

{{details}}

{{button}}`,
  },
  refund: {
    title: 'Refund',
    description: 'Commissions were reversed after a refund, a lost dispute or a correction.',
    subject: 'Commissions of {{amount}} were reversed',
    body: `Sales of {{company}} were refunded or corrected, or leads were rejected. The commissions on them were reversed.

{{details}}

If they were already paid to you, they’re deducted from your next payout.

{{button}}`,
  },
  'goal-reached': {
    title: 'Goal reached',
    description: 'A partner got a bonus, or a goal moved them to another group.',
    subject: 'You reached the goal {{goal}}',
    body: `{{details}}

{{button}}`,
  },
  'terms-changed': {
    title: 'Terms changed',
    description: 'What a partner earns changed.',
    subject: 'What you earn has changed',
    body: `{{company}} changed what you earn.

{{details}}

{{button}}`,
  },
  'agreement-published': {
    title: 'Partner agreement published',
    description: 'Asks a partner to accept a new version of the partner agreement.',
    subject: 'Please accept the partner agreement',
    body: `{{company}} published version {{version}} of the partner agreement. Please read and accept it.

{{details}}

{{button}}`,
  },
  'partner-question': {
    title: 'Question',
    description: 'You ask a partner about a claim or a customer.',
    subject: '{{company}} has a question for you',
    body: `{{company}} asks:

{{question}}

{{details}}

Please answer on your dashboard.

{{button}}`,
  },
  'protection-ending': {
    title: 'Protection ending',
    description: 'The protection of leads ends in 14 or 3 days.',
    subject: 'Some of your leads are released soon',
    body: `A lead that isn’t won by the day below expires, and another partner can register it. If you need more time, ask {{company}}.

{{details}}

{{button}}`,
  },
  'payout-approved': {
    title: 'Payout approved',
    description: 'A payout was approved.',
    subject: 'Your payout of {{amount}} was approved',
    body: `{{company}} approved your payout. We’ll email you when it’s sent.

{{details}}

{{button}}`,
  },
  'payout-sent': {
    title: 'Payout sent',
    description: 'A payout is on its way, or was paid by other means.',
    subject: 'Your payout of {{amount}} is on its way',
    body: `{{company}} sent your payout.

{{details}}

{{button}}`,
  },
  'payment-unclaimed': {
    title: 'Payment not claimed',
    description: 'A payment by PayPal waits until its partner accepts it.',
    subject: 'A PayPal payment is waiting for you',
    body: `{{company}} paid you {{amount}} by PayPal. Please accept it in PayPal, or it’s returned.

{{details}}

PayPal sent an email to the address in your payout details, with a link to accept it. If you can’t find it, the address may not belong to a PayPal account, or may not be confirmed.

{{button}}`,
  },
  'payout-failed': {
    title: 'Payout failed',
    description: 'A payout could not be sent, or its money was returned.',
    subject: 'Your payout of {{amount}} didn’t arrive',
    body: `Your payout from {{company}} could not be sent, or its money was returned. Your balance is unchanged and will be paid once this is resolved.

{{details}}

{{button}}`,
  },
  'payout-blocked': {
    title: 'Payout blocked',
    description: 'Money is due to a partner, and something stops it.',
    subject: 'Your payout of {{amount}} is waiting',
    body: `{{company}} has {{amount}} for you. It can’t be paid yet:

{{details}}

{{button}}`,
  },
  'payout-reminder': {
    title: 'Payout reminder',
    description: 'A partner still needs to do something to be paid.',
    subject: 'Reminder: {{amount}} is waiting for you',
    body: `{{company}} still has {{amount}} for you. To get paid:

{{details}}

{{button}}`,
  },
  'payout-details-reminder': {
    title: 'Payout details reminder',
    description: 'Asks a partner to enter or correct their payout details.',
    subject: 'Reminder: check your payout details',
    body: `{{company}} can’t pay you yet. Please enter your payout details, or correct them.

{{details}}

{{button}}`,
  },
  'tax-form-needed': {
    title: 'Tax form needed',
    description: 'Asks a partner whom you owe money for a tax form, once a week.',
    subject: 'Add your tax form',
    body: `{{company}} asks you for a tax form.

It takes a few minutes: a W-9 for a US person, a W-8BEN for a person elsewhere. The number on it is stored encrypted.

{{button}}`,
  },
  'monthly-statement': {
    title: 'Monthly statement',
    description: 'What a partner earned and was paid in a month.',
    subject: 'Your statement for {{month}}',
    body: `Your commissions from {{company}}, and your payouts.

{{details}}

{{button}}`,
  },
}
