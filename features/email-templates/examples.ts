import type { ExamplesOf } from '#contract/examples/example.ts'
import type * as room from './contract.ts'

const subject = 'You earned {{amount}} with {{company}}'
const body = 'Hello {{partner_first_name}},\n\nthank you for your work.\n\n{{details}}\n\n{{button}}'
const text: room.EmailText = { subject, body }

const german: room.EmailText = {
  subject: 'Sie haben {{amount}} verdient',
  body: 'Hallo {{partner_first_name}},\n\nvielen Dank.\n\n{{details}}\n\n{{button}}',
}

const template: room.EmailTemplate = {
  kind: 'sale-credited',
  title: 'Sale credited',
  description: 'A partner earned commissions.',
  ...text,
  translations: { de: german },
  customized: true,
  variables: [
    ...['partner_first_name', 'partner_name', 'company', 'dashboard_url', 'support_email'],
    ...['amount', 'count', 'details', 'button'],
  ],
  needsButton: false,
  updatedAt: '2026-02-11T09:00:00.000Z',
}

const usual = {
  subject: 'You earned {{amount}}',
  body: 'You earned {{amount}} in commission from {{company}}.\n\n{{details}}\n\n{{button}}',
}

const preview: room.EmailTemplatePreview = {
  from: 'Acme Partners <partners@mail.example.com>',
  replyTo: 'partners@acme.example',
  subject: 'You earned $60.00 with Acme',
  blocks: [
    { kind: 'paragraph', lines: ['Hello Pia,'], facts: [] },
    { kind: 'paragraph', lines: ['thank you for your work.'], facts: [] },
    { kind: 'facts', lines: [], facts: [{ label: 'Jane Doe, Nov 20, 2026', value: '$40.00', note: null }] },
    { kind: 'button', lines: ['Open dashboard'], facts: [] },
  ],
  because: 'You get this email because you are a partner of Acme on Tributary.',
  unsubscribes: true,
  unsubscribe: 'Unsubscribe',
}

const sender: room.EmailSender = { fromName: 'Acme Partners', replyTo: 'partners@acme.example' }
const params = { kind: 'sale-credited' }
const refused = ['unknown_variable', 'variable_not_alone', 'button_missing'] as const

export const calls: ExamplesOf<typeof room> = {
  listEmailTemplates: { reply: { items: [template] } },
  saveEmailTemplate: {
    refused: [...refused, 'language_of_texts'],
    params,
    body: { ...text, translations: { de: german } },
    reply: template,
  },
  resetEmailTemplate: {
    params,
    reply: { ...template, ...usual, translations: {}, customized: false, updatedAt: null },
  },
  previewEmailTemplate: { refused, params, body: text, reply: preview },
  testEmailTemplate: { refused, params, body: text, reply: { email: 'elena@acme.example' } },
  getEmailSender: { reply: sender },
  changeEmailSender: { body: sender, reply: sender },
}
