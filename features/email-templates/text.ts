import type { Word } from '#contract/format.ts'
import { mergeParts } from '#contract/merge-parts.ts'
import * as features from '#features/index.text.ts'
import type { EmailVariable } from './contract.ts'

/** The words of the emails that an account can change. */
export const emailWords = {
  sender: 'Sender',
  senderHelp: 'For all emails to your partners.',
  fromName: 'From Name',
  fromNameHelp: 'If empty, your account’s name is used. The address that emails come from stays the same.',
  replyTo: 'Reply-To',
  replyToHelp: 'Where partners’ replies go. If empty, they go to the account’s owner.',
  senderSaved: 'Sender',

  list: 'Emails to partners',
  listHelp: 'Replace the text of an email with your own.',
  email: 'Email',
  sent: 'When',
  status: 'Text',
  customized: 'Customized',
  usual: 'Default',
  unknown: 'This email doesn’t exist.',
  all: 'All emails',

  form: ({ email }: { email: Word }) => `Text of ${email}`,
  subject: 'Subject',
  body: 'Body',
  bodyHelp: 'An empty line starts a paragraph, # a heading, - a list item. Web addresses become links.',
  usualText:
    'The default text adapts to each case, and this is close to it. Once you save, partners get exactly what you see here.',
  resource: 'Email',
  test: 'Send test to me',
  tested: ({ email }: { email: Word }) => `Test sent to ${email}`,
  reset: 'Reset to default',
  resetWhy: ({ email }: { email: Word }) =>
    `This deletes your text of “${email}”. Partners get the default text again.`,
  resetDone: 'Default text restored',

  insert: 'Insert variable',
  variables: {
    partner_first_name: 'First name, or “there”',
    partner_name: 'Partner’s name',
    company: 'Your account’s name',
    dashboard_url: 'Address of their dashboard',
    support_email: 'Support email',
    amount: 'Amount',
    count: 'Number of sales',
    method: 'Payout method',
    payout_number: 'Payout number',
    paid_on: 'Date of payment',
    reason: 'Reason',
    ...mergeParts(features, 'emailVariables'),
    question: 'Your question',
    goal: 'Name of the goal',
    bonus: 'Bonus',
    month: 'Month',
    version: 'Version of the agreement',
    details: 'The facts, as a list',
    button: 'The button',
  } satisfies Record<EmailVariable, string>,
  choice: ({ meaning, name }: { meaning: Word; name: Word }) => `${meaning} · {{${name}}}`,

  mistakes: {
    unknown_variable: ({ name, line }: { name: Word; line: Word }) =>
      `Line ${line}: this email has no variable ${name}.`,
    variable_not_alone: ({ name, line }: { name: Word; line: Word }) =>
      `Line ${line}: put ${name} on a line of its own.`,
    button_missing: 'Add {{button}} on a line of its own: this email asks its reader to act.',
  },

  preview: 'Preview',
  previewWith: 'With sample data',
  from: 'From',
  waits: 'The preview appears once the text has no mistakes.',
}
