import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anAccount, anEmail, aPartner, expectOk, startApp } from '../../../test/support/app.ts'
import { readAccountFacts } from '../../../test/support/leads.ts'
import { mailsTo, sendAllMails, theMail } from '../../../test/support/mailed.ts'
import { loadMarked, MARKED, unmarkedWords } from '../../../test/support/marked-language.ts'
import { aPayee, aPayout, bankDetails } from '../../../test/support/payouts.ts'
import { listSavedMails } from '../../../test/support/saved-mails.ts'
import { transaction } from '../../platform/database/pool.ts'
import { markReturned } from '../../program/payouts/apply-transfer.ts'

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

test('names of leads that a partner may not see, and why a payout came back, are in the language of the mail', async (t) => {
  const account = await anAccount(app, {
    defaultCommissionSettings: { layerRates: [20] },
    partnerVisibility: { leadNames: false, leadEmails: false, saleAmounts: true },
  })
  const partner = await aPayee(app, account)
  const { db } = app.services
  await db.run`update users set preferences = ${JSON.stringify({ language: MARKED })}::jsonb where email = ${partner.email}`
  t.after(await loadMarked())
  const post = async (path: string, body: object) =>
    expectOk(await app.api('POST', path, { token: account.token, body })).body
  const lead = await post(`/accounts/${account.id}/leads`, { email: 'hannah@cole.example', partnerId: partner.id })
  const sale = await post(`/leads/${lead.id}/sales`, { amount: 100_00 })
  await sendAllMails(app)
  await post(`/sales/${sale.id}/refunds`, { amount: 50_00, reason: 'Fewer seats' })
  const payout = await aPayout(app, account, partner, 500_00)
  await post(`/payouts/${payout.id}/approve`, {})
  await sendAllMails(app)
  await post(`/payouts/${payout.id}/mark-paid`, { reference: 'B-17' })
  await sendAllMails(app)
  const facts = await readAccountFacts(db, account.id)
  const change = { old: 'sent', new: 'returned' }
  await transaction(db, (tx) => markReturned(tx, facts, payout.id, { reason: 'Wise refunded the money.', change }))
  await sendAllMails(app)
  const sent = (await listSavedMails(app)).filter(({ to }) => to.includes(partner.email))
  const kinds = ['sale-credited', 'refund', 'payout-approved', 'payout-sent', 'payout-failed']
  for (const kind of kinds)
    assert.ok(
      sent.some(({ name }) => name.startsWith(kind)),
      kind,
    )
  const data = /https?:\S+|\S+@\S+|PO-\d+|Pia Tern|Pia|Tributary|INV-\d+/g
  const isLate = ({ name }: { name: string }) => !name.startsWith('invitation')
  for (const { name, subject, text } of sent.filter(isLate))
    assert.deepEqual(unmarkedWords(`${subject} ${text}`.replaceAll(facts.name ?? '', ' ').replace(data, ' ')), [], name)
  const credited = await theMail(app, 'sale-credited', partner.email)
  assert.match(credited.text, new RegExp(`⟦Lead ${lead.id.slice(-6)}⟧`))
  assert.match((await theMail(app, 'payout-failed', partner.email)).text, /⟦Wise refunded the money\.⟧/)
})
