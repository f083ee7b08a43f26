import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../../../../test/support/app.ts'
import { aPayout } from '../../../../../test/support/payouts.ts'
import { createInstalls, workOn } from '../../../../../test/support/wise-payouts.ts'
import { clocks } from '../../../../clocks.ts'
import { createLogger } from '../../../../platform/http/logger.ts'

const app = await startApp()
const { services } = app
const { anInstall, anApproved, show } = createInstalls(app)

const use = (apiVersion: string) =>
  Object.assign(services, { config: { ...services.config, wise: { ...services.config.wise, apiVersion } } })

test('an API version that Wise no longer has pauses payouts with an explanation, and loses none', async () => {
  const install = await anInstall()
  const { account, wise } = install
  const id = await anApproved(install)
  use('2026Q2')
  const words = 'Wise has no version 2026Q2 of its interface. Set WISE_API_VERSION to one that it has.'
  await workOn(services, id)
  assert.equal((await show(install, id)).status, 'approved')
  const path = `/accounts/${account.id}/auto-payout-settings`
  const settings = async () => (await app.api('GET', path, { token: account.token })).body
  assert.equal((await settings()).wiseError, words)
  const saved = await app.api('PUT', path, { token: account.token, body: { enabled: true } })
  assert.deepEqual([saved.status, saved.body.error.reason, saved.body.error.message], [502, 'wise_not_served', words])
  const answer = await app.api('GET', '/wise/profiles', { headers: { authorization: `wise:${wise.token}` } })
  assert.deepEqual([answer.status, answer.body.error.message], [502, words])

  use('2026Q4')
  await clocks['recheck-payout-methods']!.run(services)
  assert.equal((await settings()).wiseError, null)
  await workOn(services, id)
  assert.equal((await show(install, id)).status, 'processing')
  assert.equal(wise.transfers.size, 1)
})

test('one path that Wise does not know says nothing about its version', async () => {
  const install = await anInstall()
  const { account, partner, wise } = install
  const id = await anApproved(install)
  wise.fail('POST *quotes', { status: 404 })
  await workOn(services, id)
  assert.match((await show(install, id)).failureReason ?? '', /404/)
  assert.equal((await aPayout(app, account, partner, 20_00)).status, 'due')
})

test('a call that Wise refuses is logged by the ids under which its support finds it, and nothing secret', async () => {
  const lines: { msg: string; [field: string]: unknown }[] = []
  const log = createLogger({ logLevel: 'info', appEnv: 'local' }, { write: (line) => lines.push(JSON.parse(line)) })
  const install = await anInstall()
  const id = await anApproved(install)
  install.wise.fail('POST *quotes', { status: 422, headers: { 'x-trace-id': 'f00d' } })
  await workOn({ ...services, log }, id)
  const [call, ...more] = lines.filter(({ msg }) => msg === 'a call to Wise failed')
  assert.deepEqual(more, [])
  const { method, path, status, wiseTraceId, correlationId } = call!
  assert.deepEqual([method, status, wiseTraceId], ['POST', 422, 'f00d'])
  assert.match(String(path), /\/profiles\/\d+\/quotes$/)
  assert.match(String(correlationId), /^[\da-f-]{36}$/)
  assert.ok(!JSON.stringify(call).includes(install.wise.token))
})
