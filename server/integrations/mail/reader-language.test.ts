import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anAccount, anEmail, aPartner, expectOk, startApp } from '../../../test/support/app.ts'
import { mailsTo, sendAllMails, theMail } from '../../../test/support/mailed.ts'
import { bankDetails } from '../../../test/support/payouts.ts'

// The language of a mail: what its reader chose, else that of the partner, the application, the account.

const app = await startApp()

test('people without a login are invited in the language of the partner, else of the account; the team in English', async () => {
  const account = await anAccount(app)
  expectOk(await app.api('PATCH', `/accounts/${account.id}`, { token: account.token, body: { language: 'nl' } }))
  const [french, other] = [await aPartner(app, account, { language: 'fr' }), await aPartner(app, account)]
  const member = anEmail('member')
  expectOk(
    await app.api('POST', `/accounts/${account.id}/members`, {
      token: account.token,
      body: { email: member, role: 'viewer' },
    }),
  )
  await sendAllMails(app)
  const [invited] = await mailsTo(app, 'invitation', french.email)
  assert.match(invited!.text, /^Bonjour Pia,\n\n.+ vous invite à rejoindre le programme de partenariat de /)
  assert.match(invited!.html, /<html lang="fr"/)
  assert.match(invited!.text, /^Configurer votre compte\u00a0: http\S+\/user-setup\?lang=fr#token=/m)
  assert.match((await theMail(app, 'invitation', other.email)).text, /^Hallo Pia,\n\n.+ nodigt je uit /)
  assert.match((await theMail(app, 'invitation', member)).text, /^Hello,\n\n.+ invites you to /)
})

test('an applicant gets mails in the language of their application; a person with a login in their own', async () => {
  const account = await anAccount(app)
  const { key } = expectOk(
    await app.api('POST', `/accounts/${account.id}/api-keys`, {
      token: account.token,
      body: { name: 'Own form', rights: ['partners'] },
    }),
  ).body
  const apply = async (email: string) =>
    expectOk(
      await app.api('POST', `/accounts/${account.id}/applications`, {
        token: key,
        body: { firstName: 'Ana', lastName: 'Souza', email, language: 'pt-BR', emailConfirmed: true },
      }),
    ).body
  const [ana, known] = [anEmail('ana'), await aPartner(app, await anAccount(app), {}, { signIn: true })]
  expectOk(await app.api('PATCH', '/users/me', { token: known.token, body: { preferences: { language: 'it' } } }))
  const ids = [(await apply(ana)).id, (await apply(known.email)).id]
  expectOk(
    await app.api('POST', `/accounts/${account.id}/applications/decisions`, {
      token: account.token,
      body: { ids, decision: 'reject', reason: 'incomplete', message: 'Tell us more.' },
    }),
  )
  await sendAllMails(app)
  const rejected = await theMail(app, 'application-rejected', ana)
  assert.match(rejected.subject, /^Sua inscrição em /)
  assert.match(rejected.text, /A inscrição estava incompleta\.\n\n“Tell us more\.”/)
  assert.match((await theMail(app, 'application-rejected', known.email)).subject, /^La tua candidatura a /)
})

test('a partner reads of changed payout details and of their login in one language', async () => {
  const account = await anAccount(app)
  const partner = await aPartner(app, account, { language: 'de' }, { signIn: true })
  const { token } = partner
  const details = `/partners/${partner.id}/payout-settings`
  expectOk(await app.api('POST', details, { token, body: bankDetails() }))
  const removed = await app.api('DELETE', details, { token })
  assert.ok(removed.status < 300, JSON.stringify(removed.body))
  expectOk(await app.api('POST', '/auth/reset-password', { body: { email: partner.email } }))
  await sendAllMails(app)
  assert.equal((await theMail(app, 'payout-settings', partner.email)).subject, 'Ihre Auszahlungsdaten wurden geändert')
  assert.equal((await theMail(app, 'password-reset', partner.email)).subject, 'Setzen Sie Ihr Passwort zurück')
})
