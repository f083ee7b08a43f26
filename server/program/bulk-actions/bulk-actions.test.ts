import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BulkAction } from '#contract/bulk-actions.ts'
import { anAccount, aPartner, ok, startApp, type TestAccount } from '../../../test/support/app.ts'
import { newId } from '../../platform/database/ids.ts'
import { transaction } from '../../platform/database/pool.ts'
import { cancelBulkAction } from './bulk-actions.ts'
import { runBulkAction } from './run-bulk-action.ts'

const app = await startApp()
const { services } = app
const MINUTE = 60_000

const begin = async (account: TestAccount, body: object): Promise<BulkAction> =>
  ok(await app.api('POST', `/accounts/${account.id}/bulk-actions`, { token: account.token, body })).body
const read = async (account: TestAccount, { id }: { id: string }): Promise<BulkAction> =>
  ok(await app.api('GET', `/accounts/${account.id}/bulk-actions/${id}`, { token: account.token })).body
const run = ({ accountId, id }: BulkAction) => runBulkAction(services, { accountId, bulkActionId: id })
const stateOf = async (account: TestAccount, { id }: { id: string }) =>
  ok(await app.api('GET', `/partners/${id}`, { token: account.token })).body.state

async function does(account: TestAccount, body: object) {
  const begun = await begin(account, body)
  await run(begun)
  return read(account, begun)
}

test('suspends many, tells by name who was refused, and is undone for the others', async () => {
  const account = await anAccount(app)
  const [one, two, gone] = [
    await aPartner(app, account),
    await aPartner(app, account),
    await aPartner(app, account, { firstName: 'Ada', lastName: 'Gone' }),
  ]
  ok(await app.api('POST', `/partners/${gone.id}/archive`, { token: account.token, body: {} }))
  const foreign = await aPartner(app, await anAccount(app))
  const ids = [one.id, gone.id, foreign.id, two.id, one.id]

  const ended = await does(account, { action: 'suspend-partners', ids, reason: 'Audit' })
  assert.deepEqual([ended.state, ended.total, ended.done, ended.refused], ['done', 4, 2, 2])
  assert.deepEqual(
    ended.refusals.map(({ id, name, error }) => [id, name, error.reason]),
    [
      [gone.id, 'Ada Gone', 'partner_is_archived'],
      [foreign.id, null, 'not_found'],
    ],
  )
  assert.deepEqual([await stateOf(account, one), await stateOf(account, two)], ['suspended', 'suspended'])
  const { items } = ok(
    await app.api('GET', `/accounts/${account.id}/audit?action=partner.updated`, { token: account.token }),
  ).body
  assert.ok(items.every(({ actor }: { actor: { type: string } }) => actor.type === 'user'))

  await does(account, { action: 'activate-partners', ids: [one.id, two.id] })
  assert.deepEqual([await stateOf(account, one), await stateOf(account, two)], ['invited', 'invited'])
})

test('invites and reminds, and tells what an owner has to pass on by hand', async () => {
  const account = await anAccount(app)
  const [joined, invited] = [await aPartner(app, account, {}, { signIn: true }), await aPartner(app, account)]

  app.clock.advance(2 * MINUTE)
  const invitations = await does(account, { action: 'invite-partners', ids: [joined.id, invited.id] })
  assert.deepEqual(
    [invitations.done, invitations.links, invitations.unsent, invitations.refusals.map(({ id }) => id)],
    [1, 1, 0, [joined.id]],
  )
  app.clock.advance(2 * MINUTE)
  const reminders = await does(account, { action: 'remind-partners', ids: [joined.id, invited.id] })
  assert.deepEqual([reminders.done + reminders.refused, reminders.unsent], [2, reminders.done])
  const again = await does(account, { action: 'remind-partners', ids: [joined.id] })
  assert.equal(again.refusals[0]?.error.reason, 'reminded_this_week')
})

test('takes each once when two processes run it, and goes on after the process died', async () => {
  const account = await anAccount(app)
  const partners = []
  for (let at = 0; at < 6; at++) partners.push(await aPartner(app, account))
  const begun = await begin(account, { action: 'suspend-partners', ids: partners.map(({ id }) => id) })
  await Promise.all([run(begun), run(begun)])
  await run(begun)
  const { done, refused, state } = await read(account, begun)
  assert.deepEqual([done, refused, state], [6, 0, 'done'])
  const { total } = ok(
    await app.api('GET', `/accounts/${account.id}/audit?action=partner.updated`, { token: account.token }),
  ).body
  assert.equal(total, 6)
})

test('stops when canceled or when the account is disabled; what was done stays', async () => {
  const account = await anAccount(app)
  const partner = await aPartner(app, account)
  const body = { action: 'suspend-partners', ids: [partner.id] }
  const cancel = (begun: BulkAction) =>
    app.api('POST', `/accounts/${account.id}/bulk-actions/${begun.id}/cancel`, { token: account.token })

  const canceled = await begin(account, body)
  assert.equal(ok(await cancel(canceled)).body.state, 'canceled')
  await run(canceled)
  assert.equal(await stateOf(account, partner), 'invited')
  assert.equal((await cancel(canceled)).body.error.reason, 'bulk_action_ended')

  const stopped = await begin(account, body)
  await services.db.run`update accounts set disabled_at = now() where id = ${account.id}`
  await run(stopped)
  await services.db.run`update accounts set disabled_at = null where id = ${account.id}`
  assert.equal((await read(account, stopped)).state, 'canceled')
  assert.equal(await stateOf(account, partner), 'invited')
})

test('is another account’s own, and refuses a list that is too long', async () => {
  const [account, other] = [await anAccount(app), await anAccount(app)]
  const partner = await aPartner(app, account)
  const begun = await begin(account, { action: 'suspend-partners', ids: [partner.id] })
  const at = `/accounts/${other.id}/bulk-actions/${begun.id}`
  assert.equal((await app.api('GET', at, { token: other.token })).status, 404)
  assert.equal((await app.api('POST', `${at}/cancel`, { token: other.token })).status, 404)
  await assert.rejects(transaction(services.db, (tx) => cancelBulkAction(tx, { account: other } as never, begun.id)))
  const ids = Array.from({ length: 1001 }, () => newId())
  const { status, body } = await app.api('POST', `/accounts/${account.id}/bulk-actions`, {
    token: account.token,
    body: { action: 'suspend-partners', ids },
  })
  assert.deepEqual([status, body.error.fields.ids], [422, 'Choose at most 1000'])
})
