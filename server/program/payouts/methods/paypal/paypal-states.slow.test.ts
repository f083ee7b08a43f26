import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { test } from 'node:test'
import { signIn, startApp } from '../../../../../test/support/app.ts'
import { aPaypalPayee, connectPaypal, paypalInstalls } from '../../../../../test/support/paypal-payouts.ts'
import { advancePayout } from '../../process-payout.ts'

// docs/payout-states.md lists the outcome of each response of PayPal in every state in which it is called.
// `UPDATE_STATES=1 node --test server/program/payouts/methods/paypal/paypal-states.slow.test.ts` rewrites the table.

const file = new URL('../../../../../docs/payout-states.md', import.meta.url)
const app = await startApp()
const { anInstall, anApproved } = paypalInstalls(app)
type Case = Awaited<ReturnType<typeof anInstall>> & { id: string }

const once = ({ services, id }: Case) =>
  advancePayout(services, id).catch((error: Error) => {
    if (error.name !== 'PaypalError') throw error
  })
async function runWorker(one: Case) {
  for (let turn = 0; turn < 4; turn++) {
    await once(one)
    app.clock.advance(61_000)
  }
}
const statusOf = ({ services, id }: Case) => services.db.value<string>`select status from payouts where id = ${id}`
const says =
  (status: string) =>
  async ({ paypal, partner }: Case) =>
    paypal.payouts.set(paypal.payouts.batchesTo(partner.address).at(-1)!.id, status)

/** Brings an approved payout into each state; PayPal's payments stay as they are. */
const states: Record<string, (one: Case) => Promise<unknown>> = {
  approved: async () => {},
  'processing, payment unknown': (one) => {
    one.paypal.fail('POST /v1/payments/payouts', 'reset-after')
    return once(one)
  },
  'processing, PayPal has it': once,
  'awaiting-funding': async (one) => {
    one.paypal.payouts.topUp('USD', -one.paypal.payouts.balanceOf('USD')! / 100)
    await once(one)
  },
  'sent, not claimed': async (one) => {
    await once(one)
    await says('UNCLAIMED')(one)
    await once(one)
  },
  paid: async (one) => {
    await once(one)
    await says('SUCCESS')(one)
    await once(one)
  },
}
/** States in which PayPal has shown no payment yet. */
const unpaid = ['approved', 'processing, payment unknown', 'awaiting-funding']

const responses: Record<string, (one: Case) => Promise<unknown>> = {
  'refuses the app (401)': async ({ paypal }) => {
    paypal.endAccess()
    paypal.fail('*', { status: 401, body: { error: 'invalid_client' } }, 50)
  },
  'does not answer (500)': async ({ paypal }) => paypal.fail('*', { status: 500 }, 50),
  'hides the payment (404)': async ({ paypal }) => {
    app.clock.advance(11 * 60_000)
    paypal.fail('GET /v1/payments/payouts/*', { status: 404 }, 50)
  },
  ...Object.fromEntries(
    ['PENDING', 'ONHOLD', 'SUCCESS', 'UNCLAIMED', 'FAILED', 'RETURNED', 'REFUNDED', 'REVERSED'].map((status) => [
      status,
      says(status),
    ]),
  ),
}

test('docs/payout-states.md agrees with the product on PayPal, cell by cell', async () => {
  const install = await anInstall()
  const { paypal, account } = install
  paypal.payouts.progress(false)

  async function live(state: string, respond: (one: Case) => Promise<unknown>) {
    account.token = (await signIn(app, account.ownerEmail)).token
    await connectPaypal(app, account, paypal)
    paypal.payouts.topUp('USD', 10_000)
    const partner = await aPaypalPayee(app, account)
    const one: Case = { ...install, partner, id: await anApproved({ account, partner }) }
    await states[state]!(one)
    const before = await statusOf(one)
    assert.ok(state.startsWith(before), `${state} is ${before}`)
    await respond(one)
    await runWorker(one)
    paypal.calm()
    return statusOf(one)
  }

  const names = Object.keys(responses)
  const lines = [`| when PayPal | ${names.join(' | ')} |`, `|${'---|'.repeat(names.length + 1)}`]
  for (const state of Object.keys(states)) {
    const cells: string[] = []
    for (const [name, respond] of Object.entries(responses))
      cells.push(unpaid.includes(state) && /^[A-Z]+$|hides/.test(name) ? '–' : await live(state, respond))
    lines.push(`| ${[state, ...cells].join(' | ')} |`)
  }
  const doc = await readFile(file, 'utf8')
  const lived = doc.replace(/(?<=\n## Responses of PayPal\n[^|]*)\|(?:.*\n\|)*.*$/m, lines.join('\n'))
  if (process.env.UPDATE_STATES) await writeFile(file, lived)
  else assert.equal(doc, lived)
})
