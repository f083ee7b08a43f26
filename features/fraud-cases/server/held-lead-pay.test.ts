import assert from 'node:assert/strict'
import { test } from 'node:test'
import { verifyLedger } from '#server/program/stats/verify.ts'
import { anAccount, anEmail, expectOk, startApp } from '#test/support/app.ts'
import { aPayee } from '#test/support/payouts.ts'

const app = await startApp()
const { db } = app.services
type Body = Record<string, unknown>

/** An account that pays for leads at once, with a partner whose payout details are those of another. */
async function aLeadProgram(rules: Body) {
  const account = await anAccount(app, { payoutDelay: 0 })
  const call = (method: 'GET' | 'POST' | 'PUT') => async (path: string, body?: Body) =>
    expectOk(await app.api(method, path, { token: account.token, ...(body && { body }) })).body
  const [get, post, put] = [call('GET'), call('POST'), call('PUT')]
  await put(`/accounts/${account.id}/terms`, {
    terms: {
      rules: [
        { on: 'qualified-lead', layerAmounts: [50_00] },
        { on: 'new-customer', layerAmounts: [30_00] },
      ],
      otherwise: { layerRates: [10] },
    },
  })
  await put(`/accounts/${account.id}/fraud-rules`, rules)
  await aPayee(app, account)
  const partner = await aPayee(app, account)
  const aLead = () => post(`/accounts/${account.id}/leads`, { partnerId: partner.id, email: anEmail() })
  const qualify = ({ id }: { id: string }) => post(`/leads/${id}/status`, { status: 'qualified', reason: 'other' })
  const balance = async () => {
    const { due, onHold } = await get(`/partners/${partner.id}/balance`)
    const balances = (await get(`/accounts/${account.id}/balances`)).items
    const listed = balances.find(({ partnerId }: { partnerId: string }) => partnerId === partner.id)
    assert.deepEqual([listed.due, listed.onHold], [due, onHold])
    return { due, onHold }
  }
  const openCases = async (): Promise<Body[]> => (await get(`/accounts/${account.id}/cases`)).items
  return { partner, aLead, qualify, balance, openCases, get, post }
}

test('pay for a lead beyond the limit of an hour waits for its case, and goes with it', async () => {
  for (const [act, due] of [
    ['void', 100_00],
    ['release', 200_00],
  ] as const) {
    const program = await aLeadProgram({ speed: { action: 'hold', leadsPerHour: 2 } })
    const { partner, aLead, qualify, balance, openCases, get, post } = program
    const leads = [await aLead(), await aLead(), await aLead(), await aLead()]
    for (const lead of leads) await qualify(lead)
    assert.deepEqual(await balance(), { due: 100_00, onHold: 100_00 })
    const cases = await openCases()
    assert.deepEqual(
      cases.map(({ subject, heldAmount }) => [subject, heldAmount]),
      [
        ['lead', 50_00],
        ['lead', 50_00],
      ],
    )
    const { items } = await get(`/partners/${partner.id}/commissions?status=on-hold`)
    assert.deepEqual(
      items.map(({ hold }: Body) => hold),
      cases.map(({ heldUntil }) => ({ until: heldUntil, reason: 'The lead’s case is open.' })),
    )
    assert.deepEqual((await get(`/commissions/${items[0].id}`)).hold, items[0].hold)
    for (const { id } of cases) await post(`/cases/${id}/${act}`, { reason: 'Asked them' })
    assert.deepEqual(await balance(), { due, onHold: 0 })
    // what is void stays so
    await post(`/leads/${leads[3].id}/status`, { status: 'rejected', reason: 'other' })
    await qualify(leads[3])
    assert.deepEqual(await balance(), { due, onHold: 0 })
    assert.deepEqual(await verifyLedger(db), [])
  }
})

test('pay for leads waits for the case of their partner, beside their sales', async () => {
  for (const act of ['void', 'release']) {
    const program = await aLeadProgram({ duplicatePartner: { action: 'hold' } })
    const { aLead, qualify, balance, openCases, post } = program
    const lead = await aLead()
    await qualify(lead)
    await post(`/leads/${lead.id}/sales`, { amount: 100_00 })
    await post(`/leads/${(await aLead()).id}/status`, { status: 'qualified' })
    assert.deepEqual(await balance(), { due: 0, onHold: 140_00 })
    const [one] = await openCases()
    assert.equal(one!.heldAmount, 140_00)
    await post(`/cases/${one!.id}/${act}`, { reason: 'Asked them' })
    assert.deepEqual(await balance(), { due: act === 'void' ? 0 : 140_00, onHold: 0 })
    assert.deepEqual(await verifyLedger(db), [])
  }
})
