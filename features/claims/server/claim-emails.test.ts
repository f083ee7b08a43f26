import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anAccount, anEmail, aPartner, expectOk, startApp } from '#test/support/app.ts'
import { sendAllMails, theMail } from '#test/support/mailed.ts'

const app = await startApp()

test('claims of one result have the text of that result; of both, the usual one', async () => {
  const account = await anAccount(app, { name: 'Northwind', defaultCommissionSettings: { layerRates: [20] } })
  const of = `/accounts/${account.id}`
  const call = async (method: string, path: string, body: object, token = account.token) =>
    expectOk(await app.api(method, path, { token, body })).body
  const replace = (kind: string, body: object) => call('PUT', `${of}/email-templates/${kind}`, body)
  await replace('claim-accepted', { subject: 'Found: {{claim}}', body: '{{details}}' })
  await replace('claim-declined', { subject: 'Not found: {{claim}}', body: 'Because: {{reason}}\n{{details}}' })
  const decide = async (results: ('accept' | 'refuse')[]) => {
    const { id, email, token } = await aPartner(app, account, {}, { signIn: true })
    for (const [at, result] of results.entries()) {
      const claim = await call('POST', `/partners/${id}/claims`, { orderId: `A-${id.slice(-6)}-${at}` }, token)
      if (result === 'refuse') await call('POST', `/claims/${claim.id}/refuse`, { reason: 'See www.evil.example' })
      else {
        const lead = await call('POST', `${of}/leads`, { email: anEmail('lead') })
        await call('POST', `/claims/${claim.id}/accept`, { leadId: lead.id })
      }
    }
    await sendAllMails(app)
    return theMail(app, 'claim-decided', email)
  }
  assert.match((await decide(['accept'])).subject, /^Found: Order A-\w+-0$/)
  const declined = await decide(['refuse'])
  assert.match(declined.subject, /^Not found: Order A-/)
  assert.match(declined.text, /^Because: See www\..evil\..example\n/)
  assert.equal((await decide(['accept', 'refuse'])).subject, 'Two of your claims were decided')
})

test('a partner reads of the question about a claim and of the decision in their language', async () => {
  const account = await anAccount(app, { name: 'Northwind' })
  const { id, email, token } = await aPartner(app, account, { language: 'de' }, { signIn: true })
  const post = async (path: string, body: object, by = account.token) =>
    expectOk(await app.api('POST', path, { token: by, body })).body
  const claim = await post(`/partners/${id}/claims`, { orderId: 'A-77' }, token!)
  await post(`/claims/${claim.id}/question`, { text: 'Which email?' })
  await sendAllMails(app)
  await post(`/claims/${claim.id}/refuse`, { reason: 'Too late' })
  await sendAllMails(app)
  const question = await theMail(app, 'partner-question', email)
  assert.match(question.subject, /hat eine Frage an Sie$/)
  assert.match(question.text, /^Betreff: Ihre Nachmeldung: Bestellung A-77$/m)
  const decided = await theMail(app, 'claim-decided', email)
  assert.match(decided.text, /Bestellung A-77/)
  assert.match(decided.html, /<html lang="de"/)
})
