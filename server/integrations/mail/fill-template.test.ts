import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import {
  EmailSenderChange,
  type EmailTemplateKind,
  EmailText,
  emailTemplateKinds,
  findTextMistake,
  listVariables,
  needsButton,
} from '#features/email-templates/contract.ts'
import { usualEmails } from '#features/email-templates/usual-emails.ts'
import { sampleMail } from './editable-mails.ts'
import { type Addressee, fillTemplate } from './fill-template.ts'
import { mails } from './kinds/registry.ts'
import { renderMail } from './layout.ts'

const HOME = { accountName: 'Northwind', url: 'https://partners.example.com/dashboard' }
const unsubscribeUrl = 'https://partners.example.com/mail/unsubscribe/x'
const pia: Addressee = { firstName: 'Pia', name: 'Pia Tern' }

/** A mail with this text and sample data. */
function filled(
  kind: EmailTemplateKind,
  text: Partial<EmailText>,
  more: { addressee?: Addressee; values?: object } = {},
) {
  const { letter, values, details } = sampleMail(kind, HOME)
  return fillTemplate(
    letter,
    { subject: 'Subject', body: 'Body', ...text },
    {
      kind,
      addressee: more.addressee ?? pia,
      dashboardUrl: HOME.url,
      supportEmail: 'help@northwind.example',
      values: { ...values, ...more.values },
      details,
    },
  )
}
const rendered = (...given: Parameters<typeof filled>) => renderMail(filled(...given), { unsubscribeUrl })

const mistake = (kind: EmailTemplateKind, text: Partial<EmailText>) => {
  const found = findTextMistake(kind, { subject: 'Subject', body: 'Body', ...text })
  return found && Object.values(found).join(' ')
}

test('the usual emails are those of before, to the character', () => {
  const file = new URL('usual-emails.txt', import.meta.url)
  const kinds = Object.entries(mails).filter(([, mail]) => mail.editable)
  assert.ok(kinds.length > 15)
  const now = kinds
    .map(([kind, { write, sample }]) => {
      const { subject, text } = renderMail(write(sample), { unsubscribeUrl })
      return `== ${kind}\n${subject}\n\n${text}\n`
    })
    .join('')
  if (process.env.UPDATE_EMAILS) writeFileSync(file, now)
  const sections = (text: string) => text.split(/(?=^== )/m).toSorted()
  assert.deepEqual(sections(now), sections(readFileSync(file, 'utf8')))
})

test('each kind has a mail with sample data, and a text to begin with that it can have', () => {
  for (const kind of emailTemplateKinds) {
    const { subject, body, title } = usualEmails[kind]
    const text = EmailText.parse({ subject, body })
    assert.deepEqual(text, { subject, body }, kind)
    assert.equal(findTextMistake(kind, text), undefined, kind)
    const mail = rendered(kind, text)
    assert.doesNotMatch(mail.subject + mail.text, /[{}]|null|undefined/, kind)
    assert.ok(title.length > 4)
    const sample = sampleMail(kind, HOME)
    const { blocks, values } = { blocks: listVariables(kind), values: sample.values as Record<string, unknown> }
    assert.deepEqual(
      blocks.filter((name) => name in values || ['details', 'button'].includes(name)),
      blocks.slice(5),
      `${kind} has values for its variables`,
    )
    for (const name of Object.keys(values).filter((name) => (blocks as string[]).includes(name)))
      assert.ok(values[name], `${kind} shows a sample of ${name}`)
    assert.equal(blocks.includes('button'), sample.letter.button !== undefined, `${kind} has its button`)
    assert.equal(blocks.includes('details'), sample.details.length > 0, `${kind} has its facts`)
    if (needsButton(kind)) assert.ok(mail.text.includes(sample.letter.button!.url))
  }
})

test('variables are filled in subject, paragraphs, headings and lists; facts and button stand where the text puts them', () => {
  const body = [
    '# For {{partner_name}}',
    'Hello {{partner_first_name}}, you made {{count}} sales',
    'with {{company}}.',
    '{{button}}',
    '- {{amount}} in all',
    '- Ask {{support_email}}',
    '',
    '  {{details}}  ',
    'See {{dashboard_url}}',
  ].join('\n')
  const { subject, html, text } = rendered('sale-credited', { subject: '{{amount}} for {{partner_first_name}}', body })
  assert.equal(subject, '$60.00 for Pia')
  assert.match(
    text,
    /^For Pia Tern\n\nHello Pia, you made 2 sales\nwith Northwind\.\n\nOpen dashboard: https:\S+\n\n- \$60\.00 in all\n- Ask help@northwind\.example\n\nJane Doe, Nov 20, 2026: \$40\.00 [^\n]+\nAcme[^\n]+\n\nSee https:\/\/partners\.example\.com\/dashboard\n\n–\nYou get this email because you are a partner of Northwind on Tributary\.\nUnsubscribe: \S+\n$/,
  )
  assert.match(html, /<h2[^>]*>For Pia Tern<\/h2>/)
  assert.equal(html.match(/class="press"/g)?.length, 1)
})

test('a link that works without signing in is also shown for copying, where the button is', () => {
  const { html } = rendered('invitation', { body: 'Hello\n{{button}}\nBye' })
  const url = 'https://partners.example.com/dashboard'
  assert.ok(html.indexOf(`>${url}</p>`) < html.indexOf('Bye'))
  assert.ok(html.indexOf('Hello') < html.indexOf(`href="${url}"`))
})

test('an unknown variable is refused with its name and line', () => {
  assert.equal(
    mistake('refund', { body: 'One\r\ntwo {{amount}}\rthree {{Amount}}' }),
    'body 3 unknown_variable {{Amount}}',
  )
  assert.equal(mistake('refund', { subject: 'x {{ amount }}' }), 'subject 1 unknown_variable {{ amount }}')
  assert.equal(mistake('refund', { body: '{{}}' }), 'body 1 unknown_variable {{}}')
  assert.equal(mistake('refund', { body: 'a\n\n{{amount}' }), 'body 3 unknown_variable {{amount}')
  assert.equal(mistake('refund', { body: '{{month}}' }), 'body 1 unknown_variable {{month}}')
  assert.equal(mistake('refund', { body: '{{constructor}}' }), 'body 1 unknown_variable {{constructor}}')
  assert.equal(mistake('refund', { subject: '{{button}}' }), 'subject 1 unknown_variable {{button}}')
  assert.equal(mistake('application-rejected', { body: '{{button}}' }), 'body 1 unknown_variable {{button}}')
  assert.equal(mistake('refund', { body: `{{${'x'.repeat(100)}}}` }), `body 1 unknown_variable {{${'x'.repeat(40)}…}}`)
  assert.equal(mistake('refund', { body: '{one} {{{amount}}} }} {' }), undefined)
})

test('facts and button need a line of their own, and mails that ask for an act the button', () => {
  assert.equal(mistake('refund', { body: 'a\nSee {{details}}' }), 'body 2 variable_not_alone {{details}}')
  assert.equal(mistake('refund', { body: '- {{button}}' }), 'body 1 variable_not_alone {{button}}')
  assert.equal(mistake('refund', { body: '{{button}}{{button}}' }), 'body 1 variable_not_alone {{button}}')
  assert.equal(mistake('refund', { body: '\t{{button}} ' }), undefined)
  assert.equal(mistake('refund', { body: 'No button' }), undefined)
  const asking: EmailTemplateKind[] = [
    'invitation',
    'application-confirm',
    'partner-question',
    'payout-details-reminder',
    'tax-form-needed',
  ]
  assert.deepEqual(
    emailTemplateKinds.filter((kind) => mistake(kind, {}) === 'body button_missing'),
    asking,
  )
})

test('lengths are checked first, and subjects are one line', () => {
  const refused = (text: object) =>
    EmailText.safeParse(text)
      .error?.issues.map(({ message }) => message)
      .join()
  assert.equal(refused({ subject: 'x'.repeat(150), body: 'y'.repeat(5000) }), undefined)
  assert.equal(refused({ subject: 'x'.repeat(151), body: 'y' }), 'Use at most 150 characters')
  assert.equal(refused({ subject: 'x', body: '{{'.repeat(2501) }), 'Use at most 5000 characters')
  for (const line of ['a\r\nBcc: b@c.example', 'a\nb', 'a\u2028b', 'a\u0085b'])
    assert.equal(refused({ subject: line, body: 'y' }), 'Use one line')
  assert.equal(refused({ subject: ' ', body: 'y' }), 'Enter a value')
})

test('a sender is a name on one line without an address, and an email', () => {
  const refused = (sender: object) => EmailSenderChange.safeParse(sender).error?.issues[0]?.message
  assert.equal(refused({ fromName: 'Northwind Partners', replyTo: 'Partners@Northwind.example' }), undefined)
  assert.deepEqual(EmailSenderChange.parse({ fromName: '', replyTo: '' }), { fromName: null, replyTo: null })
  assert.equal(refused({ fromName: 'x\r\nBcc: b@c.example' }), 'Use a name without an email address')
  assert.equal(refused({ fromName: 'x\r\nBcc: b' }), 'Use one line')
  assert.equal(refused({ fromName: 'boss@bank.example' }), 'Use a name without an email address')
  assert.equal(refused({ fromName: 'x'.repeat(61) }), 'Use at most 60 characters')
  for (const replyTo of ['a@b.example\r\nBcc: c@d.example', 'a@b.example, c@d.example', 'A <a@b.example>', 'a'])
    assert.ok(refused({ replyTo }), replyTo)
})

const hostile = [
  '{{details}}',
  '{{partner_first_name}} {{button}}',
  '# Heading\n\n- item\n{{button}}',
  'x\r\nBcc: victim@mail.example',
  '<b>Bold</b><script>alert(1)</script>',
  'Win at evil.example',
  '$& $1 $`',
  '\u202Eecnart',
]

test('a name or a reason changes neither form nor variables, links nor headers', () => {
  const body = 'Dear {{partner_name}},\n{{reason}}\n\n- {{method}}\n\n{{details}}'
  for (const name of hostile) {
    const values = { reason: name.replace(/evil\.example/, 'evil\u200b.example'), method: name }
    const { subject, html, text } = rendered(
      'payout-failed',
      { subject: '{{partner_first_name}}: {{reason}}', body },
      { addressee: { firstName: name, name }, values },
    )
    assert.doesNotMatch(subject, /\n|\r/)
    assert.doesNotMatch(subject + text.replaceAll('\n', ''), /\p{Cc}|\p{Bidi_Control}/u)
    assert.doesNotMatch(html, /<script|<b>|<h2|class="button"/)
    assert.equal(html.match(/<tr class="fact"/g)?.length, 6, 'the facts stand once')
    assert.doesNotMatch(text, /^Bcc/m)
    if (name.includes('{{')) assert.ok(text.includes(name.replaceAll(/\s+/g, ' ').slice(0, 10)), text)
  }
  const { text } = rendered(
    'sale-credited',
    { body: 'Hi {{partner_name}}' },
    { addressee: { firstName: null, name: 'www.evil.example/x' } },
  )
  assert.match(text, /^Hi there\n/)
})

test('a line whose variables are all empty is left out, and an empty subject is the usual one', () => {
  const body = 'Hello\nReason: {{reason}}\n\n- {{reason}}\n\n# {{reason}}\n\nBye {{reason}}{{company}}'
  const { subject, text } = rendered(
    'application-rejected',
    { subject: '{{reason}}', body },
    { values: { reason: null } },
  )
  assert.equal(subject, 'Your application to Northwind')
  assert.match(text, /^Hello\n\nBye Northwind\n\n–/)
})

test('a text that is only a button, or only facts, is a whole mail', () => {
  const { html, text } = rendered('invitation', { body: '{{button}}' })
  assert.match(text, /^Set up your account: https:\S+\n\n–\nYou get this email because someone at Northwind/)
  assert.match(html, /<h1[^>]*>Subject<\/h1>/)
  assert.match(rendered('monthly-statement', { body: '{{details}}' }).text, /^October 2026\n/)
})

test('a text that a mail can’t have, such as an imported one, is not used', () => {
  const { letter } = sampleMail('invitation', HOME)
  assert.equal(filled('invitation', { body: 'No button' }).subject, letter.subject)
  assert.deepEqual(filled('invitation', { body: '{{button}}\n{{nothing}}' }), letter)
})

test('long values end a subject at a natural length', () => {
  const { subject } = rendered('payout-failed', { subject: '{{reason}}' }, { values: { reason: 'long '.repeat(300) } })
  assert.equal([...subject].length, 200)
})
