import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anAccount, anEmail, expectOk, startApp } from '../../../test/support/app.ts'
import { emptyCopies } from './run-erasure.ts'

const app = await startApp()
const { db, secrets } = app.services

test('the kept preview of a file with an erased person is emptied in their account alone', async () => {
  const [account, other] = [await anAccount(app), await anAccount(app)]
  const email = anEmail('canary')
  const preview = async ({ id, token }: typeof account) =>
    expectOk(
      await app.api('POST', `/accounts/${id}/imports/preview`, {
        ...{ token, body: { csv: `Email,Company\n${email},Finch` }, headers: { 'idempotency-key': 'a-file' } },
      }),
    )
  for (const one of [account, other]) await preview(one)
  const { token } = account
  const lead = expectOk(await app.api('POST', `/accounts/${account.id}/leads`, { token, body: { email } })).body
  const erasure = expectOk(await app.api('POST', `/leads/${lead.id}/erase`, { token, body: {} })).body
  await emptyCopies(app.services, { accountId: account.id, erasureIds: [erasure.id] })
  const kept = await db.many<{ caller: string; call: string; key: string; answerSealed: Buffer }>`
    select caller, call, key, answer_sealed from idempotency_keys where key = 'a-file'`
  const saysIt = ({ caller, call, key, answerSealed }: (typeof kept)[number]) =>
    secrets.open(answerSealed, `idempotency_keys|answer|${caller}|${call}|${key}`).includes(email)
  const of = ({ id }: { id: string }) => kept.filter(({ call }) => call.includes(id)).map(saysIt)
  assert.deepEqual([of(account), of(other)], [[false], [true]])
})
