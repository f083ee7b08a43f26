import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shippedLanguages, withLanguage } from '#contract/language.ts'
import { mailKinds } from '#contract/mail-kinds.ts'
import { emailTemplateKinds } from '#features/email-templates/contract.ts'
import { loadMarked, MARKED, unmarkedWords } from '../../../../test/support/marked-language.ts'
import { oneLine } from '../../../platform/format-values.ts'
import '../../../platform/languages.ts'
import { sampleMail } from '../editable-mails.ts'
import type { MailMessage, Part } from '../message.ts'
import { mailPhrases } from '../text.ts'
import { mails } from './registry.ts'

// Mails to partners, applicants and people with a login are in the language of their reader, whole.

/** Returns every mail as its readers can get it. */
const samples = [
  ...mailKinds.map((kind) => ({ kind: kind as string, mail: mails[kind], data: mails[kind].sample })),
  ...emailTemplateKinds.map((template) => {
    const { kind, data } = sampleMail(template, { accountName: 'Northwind', url: 'https://partners.example.com/' })
    return { kind: `${kind} as ${template}`, mail: mails[kind], data }
  }),
  ...variants(),
]

/** Returns mails with other facts than their samples have. */
function variants() {
  const of = (kind: keyof typeof mails, ...facts: object[]) =>
    facts.map((one) => ({
      kind: `${kind} with ${JSON.stringify(one)}`,
      mail: mails[kind],
      data: { ...mails[kind].sample, ...one },
    }))
  const [nobody, one] = [{ accountName: null }, { count: 1 }]
  return [
    ...of(
      'access-changed',
      { role: null },
      { partnerName: 'Pia Tern', role: 'member', why: 'given' },
      { why: 'asked' },
    ),
    ...of('access-changed', { partnerName: 'Pia Tern', role: null }, nobody),
    ...of('agreement-published', { version: 1 }, nobody),
    ...of('application-known', ...['partner', 'waiting', 'never'].map((kind) => ({ standing: { kind } }))),
    ...of('application-rejected', ...['not-a-fit', 'region', 'policy', 'spam'].map((code) => ({ code }))),
    ...of(
      'goal-reached',
      { bonuses: [], move: { goal: null, group: { publicName: null, translations: {}, base: 'en' }, now: null } },
      { move: null },
    ),
    ...of('invitation', { isUser: true, applied: true }, { kind: 'partner-member', role: 'member', invitedBy: null }),
    ...of('payment-unclaimed', { taxAmount: 19_00 }),
    ...of('payout-blocked', nobody, {
      blockers: ['below-minimum', 'deposit-info-rejected', 'partner-disabled'].map((code) => ({ code, message: '' })),
    }),
    ...of('payout-details-reminder', { details: 'rejected', amount: 0 }),
    ...of('payout-failed', { returned: true, byPaypal: true, mendable: false }, { returned: true, byPaypal: false }),
    ...of('payout-reminder', { last: true }),
    ...of('payout-sent', { paid: true }),
    ...of(
      'protection-ending',
      { to: 'partner', ...one },
      { to: 'partner', ...one, leads: [{ name: '', on: '2026-11-23' }] },
    ),
    ...of('recovery-code-used', { left: 0 }, { left: 1 }),
    ...of('refund', { count: 2 }),
    ...of('sale-credited', one, {
      lines: [null, ''].map((name) => ({ name, day: null, amount: 1_00, sale: null, note: { code: 'new-customer' } })),
    }),
    ...of('second-factor-changed', ...['reset', 'codes'].map((change) => ({ change, method: null }))),
    ...of('second-factor-changed', { change: 'removed', method: 'passkey' }),
    ...of('single-sign-on', { name: null }),
  ]
}

/** Whether it is written to a partner, an applicant or a person about their login; one is for people of a team alone. */
const hasLanguage = (kind: string, { inItsLook, because }: MailMessage) =>
  kind !== 'approvals-loosened' && (inItsLook === true || because === mailPhrases.becauseUser)

const textsOf = (part: Part) => {
  if (typeof part === 'string') return [part]
  if ('facts' in part) return [part.heading, ...part.facts.flatMap(({ label, value, note }) => [label, value, note])]
  return 'button' in part ? [part.button.label] : []
}

const wordsIn = ({ subject, preview, parts, button, other, because }: MailMessage) =>
  [subject, preview, ...parts.flatMap(textsOf), button?.label, other?.label, other?.help, because].filter(
    (text): text is string => typeof text === 'string',
  )

function namesIn(data: unknown): string[] {
  if (typeof data === 'string') return [data, oneLine(data).slice(0, 150)]
  return typeof data === 'object' && data !== null ? Object.values(data).flatMap(namesIn) : []
}

/** Names of others and formatted values, which no language translates. */
const OF_ALL_LANGUAGES = /PayPal|PO-12|USD|EUR/g

test('no subject is longer in another language than mailboxes show', () => {
  for (const language of shippedLanguages)
    for (const { kind, mail, data } of samples) {
      const { subject } = withLanguage(language, () => mail.write(data))
      assert.ok(subject.length <= 78, `${kind}, ${language}: ${subject}`)
    }
})

test('mails in German have the sentences, plurals and formats of German', () => {
  const inGerman = (kind: keyof typeof mails, facts: object = {}) =>
    withLanguage('de', () => mails[kind].write({ ...mails[kind].sample, ...facts }))
  const credited = inGerman('sale-credited')
  assert.equal(credited.subject, '2 Verkäufe wurden Ihnen zugerechnet: 60,00\u00a0$')
  assert.deepEqual(credited.parts.slice(0, 2), [
    'Sie haben 60,00\u00a0$ Provision von Northwind verdient.',
    {
      facts: ['Jane Doe', 'Acme'].map((name, at) => ({
        label: `${name}, 20.11.2026`,
        value: `${at === 0 ? 40 : 20},00\u00a0$`,
        note: `aus einem Verkauf über ${at === 0 ? 200 : 100},00\u00a0$ · fällig am 20.12.2026`,
      })),
    },
  ])
  const goal = inGerman('goal-reached')
  assert.equal(goal.subject, 'Sie haben 2 Ziele erreicht')
  assert.equal(
    goal.parts[0],
    'Sie haben das Ziel Busy month erreicht: 5.120,00\u00a0$ von 5.000,00\u00a0$ im Oktober. Ihr Bonus von 250,00\u00a0$ ist am 30.11.2026 fällig.',
  )
  assert.ok(goal.parts.includes('Sie erhalten 25\u00a0% auf jeden Verkauf.'))
  const used = (left: number) => inGerman('recovery-code-used', { left }).parts[0]
  assert.match(String(used(7)), /Sie haben noch 7 Codes\.$/)
  assert.match(String(used(1)), /Sie haben noch 1 Code\.$/)
  assert.equal(inGerman('payout-blocked', { accountName: null }).subject, 'Ihre Auszahlung von 125,00\u00a0$ wartet')
  assert.match(inGerman('payout-blocked', { accountName: null }).because, /^Sie .+ Partner von einem Programm bei/)
})

test('a mail to a partner, an applicant or a person with a login has no words but those of its language', async (t) => {
  t.after(await loadMarked())
  const written = samples.filter(({ kind, mail, data }) => hasLanguage(kind, mail.write(data)))
  assert.ok(written.length > 70, String(written.length))
  const faults = written.flatMap(({ kind, mail, data }) => {
    const names = namesIn(data).toSorted((one, other) => other.length - one.length)
    const details = () => (mail.editable?.details?.(data) ?? []).flatMap(textsOf)
    const letter = withLanguage(MARKED, () => [...wordsIn(mail.write(data)), ...details()])
    return letter.flatMap((text) => {
      const ours = names.filter((name) => name.length > 1).reduce((rest, name) => rest.replaceAll(name, ''), text ?? '')
      return unmarkedWords(ours.replace(OF_ALL_LANGUAGES, '')).length > 0 ? [`${kind}: ${text}`] : []
    })
  })
  assert.deepEqual(faults, [])
})
