import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runErasure } from '#server/program/privacy/run-erasure.ts'
import { anAccount, anEmail, aPartner, expectOk, type Reply, startApp, waitUntil } from '#test/support/app.ts'
import { listSavedMails } from '#test/support/saved-mails.ts'
import type { Claim } from '../contract.ts'

const app = await startApp({ worker: true })
const reasonOf = (reply: Reply) => [reply.status, reply.body.error?.reason]

test('the partner of an open claim is asked once, by mail too, and answers on their dashboard; the claim stays open', async () => {
  const account = await anAccount(app)
  const email = anEmail('asked')
  const jane = await aPartner(app, account, { email }, { signIn: true })
  const marc = await aPartner(app, account, {}, { signIn: true })
  const call = (method: string, path: string, body?: unknown, token = account.token) =>
    app.api(method, path, { token, body })
  const get = async (path: string, token?: string) => expectOk(await call('GET', path, undefined, token)).body
  const claimed = async (body: object) =>
    expectOk(await call('POST', `/partners/${jane.id}/claims`, body, jane.token)).body
  const refuse = (id: string) => call('POST', `/claims/${id}/refuse`, { reason: 'Not yours' })
  const { id } = await claimed({ orderId: 'A-77' })
  const ask = (text: string, of = id) => call('POST', `/claims/${of}/question`, { text })
  const answer = (text: string, by = jane) =>
    call('POST', `/partners/${by.id}/answers`, { questionId: id, text }, by.token)

  const replies = await Promise.all([ask('Which email?'), ask('Which email?')])
  for (const reply of replies) assert.equal(expectOk(reply).body.question, 'Which email?')
  assert.deepEqual(reasonOf(await ask('And which day?')), [409, 'claim_question_asked'])
  const mailed = async () =>
    (await listSavedMails(app)).filter(
      ({ to, subject }) => to.includes(email) && subject.endsWith('has a question for you'),
    )
  await waitUntil(async () => (await mailed()).length > 0)
  assert.match((await mailed())[0]!.text, /Which email\?[\s\S]+Order A-77/)

  const shown = await get(`/partners/${jane.id}/questions`, jane.token)
  assert.deepEqual(
    shown.items.map((item: Record<string, unknown>) => [item.id, item.about, item.question, item.answer]),
    [[id, 'Your claim: Order A-77', 'Which email?', null]],
  )
  assert.equal((await get(`/partners/${jane.id}/claims`, jane.token)).items[0].question, 'Which email?')
  assert.deepEqual((await get(`/partners/${marc.id}/questions`, marc.token)).items, [])
  assert.deepEqual(reasonOf(await answer('Not mine', marc)), [404, 'not_found'])

  assert.equal(expectOk(await answer('kim@shop.example')).body.answer, 'kim@shop.example')
  assert.deepEqual(reasonOf(await answer('another')), [409, 'question_answered'])
  const seen = await get(`/claims/${id}`)
  assert.deepEqual([seen.state, seen.answer, seen.answeredAt !== null], ['open', 'kim@shop.example', true])
  assert.deepEqual(reasonOf(await call('POST', `/claims/${id}/question`, { text: 'x' }, jane.token)), [
    403,
    'role_not_allowed',
  ])

  const other = await claimed({ orderId: 'A-78' })
  expectOk(await ask('Which email?', other.id))
  expectOk(await refuse(other.id))
  assert.deepEqual(reasonOf(await ask('Which email?', other.id)), [409, 'claim_decided'])
  const late = await call('POST', `/partners/${jane.id}/answers`, { questionId: other.id, text: 'Late' }, jane.token)
  assert.deepEqual(reasonOf(late), [409, 'question_closed'])
  assert.deepEqual((await get(`/partners/${jane.id}/questions`, jane.token)).items.length, 1)

  const third = await claimed({ orderId: 'A-79' })
  expectOk(await call('PUT', `/partners/${jane.id}`, { state: 'suspended' }))
  assert.deepEqual(reasonOf(await ask('Which email?', third.id)), [409, 'claim_partner_inactive'])
  expectOk(await call('POST', `/partners/${jane.id}/archive`, { subPartners: 'keep', balance: 'void', reason: 'Left' }))
  const erasure = expectOk(await call('POST', `/partners/${jane.id}/erase`, {})).body
  await runErasure(app.services, { accountId: account.id, erasureIds: [erasure.id] })
  assert.deepEqual(reasonOf(await ask('Which email?', third.id)), [409, 'erased'])
  const { items } = await get(`/accounts/${account.id}/claims`)
  assert.deepEqual(
    items.map(({ question, answer }: Claim) => [question, answer]),
    Array(3).fill([null, null]),
  )
})
