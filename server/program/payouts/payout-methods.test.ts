import assert from 'node:assert/strict'
import { test } from 'node:test'
import { detailKinds } from '#contract/detail-kinds.ts'
import { anAccount, aPartner, startApp } from '../../../test/support/app.ts'
import { aPayee, aPayout, bankDetails, getBalance, listPayouts, requestRefresh } from '../../../test/support/payouts.ts'
import { transaction } from '../../platform/database/pool.ts'
import { type AccountFacts, accountFacts } from '../access/account-facts.ts'
import { runAutomaticPayouts } from './approve.ts'
import { methodFor, withMethod } from './chosen-method.ts'
import { openMethod } from './method-settings.ts'
import type { FilePayer } from './methods/method.ts'
import { getPayoutTerms } from './payout-terms.ts'

const app = await startApp()
const { db } = app.services
type Account = Awaited<ReturnType<typeof anAccount>>

const debtor = {
  name: 'Acme GmbH',
  iban: 'de89 3704 0044 0532 0130 00',
  bic: 'cobadeffxxx',
  address: { country: 'DE', city: 'Köln', addressLine: 'Domstraße 1', zipCode: '50668' },
}
const euroDetails = (fields: object = {}) => ({
  kind: 'iban',
  legalType: 'PRIVATE',
  name: 'Zoë Müller',
  iban: 'FR76 3000 6000 0112 3456 7890 189',
  address: { country: 'fr', city: 'Lyon', addressLine: '1 rue du Bac', zipCode: '69002' },
  ...fields,
})

const call = (account: { token: string; id: string }, method: string, path: string, body?: object) =>
  app.api(method, `/accounts/${account.id}${path}`, { token: account.token, ...(body && { body }) })
const enter = (partner: { id: string; token: string }, body: object) =>
  app.api('POST', `/partners/${partner.id}/payout-settings`, { token: partner.token, body })
const choose = (account: Account, partner: { id: string }, payoutMethod: string | null) =>
  app.api('PUT', `/partners/${partner.id}`, { token: account.token, body: { payoutMethod } })
const factsOf = (account: Account) => db.one<AccountFacts>`
  select ${accountFacts} from accounts a where a.id = ${account.id}`
/** Switches methods on as if they were set up. */
const switchOn = (account: Account, methods: string[]) => db.run`
  insert into payout_accounts (account_id, methods, updated_at) values (${account.id}, ${methods}::text[], ${db.now})
  on conflict (account_id) do update set methods = excluded.methods`

test('any payout method sets up payouts in the first steps of an owner', async () => {
  const account = await anAccount(app, { defaultCurrency: 'eur' })
  const isDone = async () => {
    const { body } = await call(account, 'GET', '/dashboard/2026-05-01..2026-05-31')
    return body.checklist.find(({ step }: { step: string }) => step === 'payouts').done
  }
  assert.equal(await isDone(), false)
  assert.equal((await call(account, 'PUT', '/payout-methods/sepa', debtor)).status, 200)
  assert.equal(await isDone(), true)
  assert.equal((await call(account, 'DELETE', '/payout-methods/sepa')).status, 204)
  assert.equal(await isDone(), false)
})

test('SEPA files are set up in euros, come last, and are removed', async () => {
  const account = await anAccount(app, { defaultCurrency: 'eur' })
  const none = await call(account, 'GET', '/payout-methods')
  assert.deepEqual(none.body.kinds, ['us-bank', 'iban'], 'a person may pay to either')
  assert.ok(none.body.methods.every(({ name, on }: { name: string; on: boolean }) => on === (name === 'manual')))
  await switchOn(account, ['wise'])
  const set = await call(account, 'PUT', '/payout-methods/sepa', debtor)
  assert.equal(set.status, 200, JSON.stringify(set.body))
  const on = () => set.body.methods.filter((one: { on: boolean }) => one.on).map((one: { name: string }) => one.name)
  assert.deepEqual(on(), ['wise', 'sepa', 'manual'])
  assert.equal(set.body.methods[1].hint, '•••••3000')
  assert.deepEqual(await openMethod(db, app.services.secrets, account.id, 'sepa'), {
    ...debtor,
    ...{ iban: 'DE89370400440532013000', bic: 'COBADEFFXXX', booking: 'single' },
  })
  const bookings = async () =>
    (await call(account, 'GET', '/payout-methods')).body.methods.map((one: { booking: string }) => one.booking)
  assert.deepEqual(await bookings(), [null, 'single', null, null])
  assert.equal((await call(account, 'PUT', '/payout-methods/sepa', { ...debtor, booking: 'batch' })).status, 200)
  assert.deepEqual(await bookings(), [null, 'batch', null, null])
  // settings that were stored before there was a choice
  const { booking: _, ...before } = (await openMethod<FilePayer>(db, app.services.secrets, account.id, 'sepa')) ?? {}
  await db.run`
    update method_secrets set settings_sealed = ${app.services.secrets.seal(JSON.stringify(before), `method_secrets|settings_sealed|sepa|${account.id}`)}
    where account_id = ${account.id} and method = 'sepa'`
  assert.deepEqual(await bookings(), [null, 'single', null, null])
  for (const order of [[], ['wise'], ['sepa', 'wise', 'wise'], ['sepa', 'paypal']]) {
    const refused = await call(account, 'PUT', '/payout-methods', { order })
    assert.deepEqual([refused.status, refused.body.error.reason], [422, 'order_incomplete'], order.join())
  }
  const ordered = await call(account, 'PUT', '/payout-methods', { order: ['sepa', 'wise'] })
  assert.deepEqual(ordered.body.methods.map((one: { name: string }) => one.name).slice(0, 2), ['sepa', 'wise'])
  const currency = await app.api('PATCH', `/accounts/${account.id}`, {
    ...{ token: account.token, body: { defaultCurrency: 'usd' } },
  })
  assert.equal(currency.body.error.reason, 'currency_fixed_by_method')
  assert.equal((await call(account, 'DELETE', '/payout-methods/sepa')).status, 204)
  assert.equal((await call(account, 'DELETE', '/payout-methods/sepa')).status, 404)
  assert.equal(await openMethod(db, app.services.secrets, account.id, 'sepa'), undefined)
  app.clock.advance(11 * 60_000)
  const stale = await call(account, 'PUT', '/payout-methods/sepa', debtor)
  assert.deepEqual([stale.status, stale.body.error.code], [403, 'recent_sign_in_required'])
  const dollars = await anAccount(app)
  assert.equal((await call(dollars, 'PUT', '/payout-methods/sepa', debtor)).body.error.reason, 'method_needs_euro')
  const wrong = await call(dollars, 'PUT', '/payout-methods/sepa', { ...debtor, iban: 'DE89370400440532013001' })
  assert.equal(wrong.body.error.reason, 'iban_wrong')
  assert.deepEqual(wrong.body.error.fields, { iban: 'This IBAN has a typing error.' })
  const far = await call(dollars, 'PUT', '/payout-methods/sepa', { ...debtor, iban: 'TR330006100519786457841326' })
  assert.equal(far.body.error.reason, 'not_a_sepa_country')
  assert.deepEqual(far.body.error.fields, { iban: 'Euro payments don’t reach this country.' })
})

test('a server of the release before writes one method, and the order follows; and the other way round', async () => {
  const account = await anAccount(app, { defaultCurrency: 'eur' })
  const read = () => db.one<{ method: string; methods: string[] }>`
    select method, methods from payout_accounts where account_id = ${account.id}`
  const write = (method: string) => db.run`
    insert into payout_accounts (account_id, method, updated_at) values (${account.id}, ${method}, ${db.now})
    on conflict (account_id) do update set method = excluded.method`
  await write('wise')
  assert.deepEqual(await read(), { method: 'wise', methods: ['wise'] })
  await switchOn(account, ['sepa', 'wise'])
  assert.deepEqual(await read(), { method: 'wise', methods: ['sepa', 'wise'] })
  await write('wise')
  assert.deepEqual((await read()).methods, ['sepa', 'wise'])
  await write('manual')
  assert.deepEqual(await read(), { method: 'manual', methods: ['sepa'] })
  await write('wise')
  assert.deepEqual(await read(), { method: 'wise', methods: ['sepa', 'wise'] })
  await switchOn(account, ['sepa'])
  assert.deepEqual(await read(), { method: 'manual', methods: ['sepa'] })
  await switchOn(account, [])
  assert.deepEqual(await read(), { method: 'manual', methods: [] })
})

test('the method of a payout: the choice for the partner if it reaches the details, else the first that does', async () => {
  for (const defaultCurrency of ['eur', 'usd']) {
    const account = await anAccount(app, { defaultCurrency })
    const partner = await aPartner(app, account)
    for (const methods of [[], ['wise'], ['sepa'], ['wise', 'sepa'], ['sepa', 'wise']]) {
      await switchOn(account, methods)
      const terms = await getPayoutTerms(db, await factsOf(account))
      for (const kind of [null, ...detailKinds])
        for (const choice of [null, 'wise', 'paypal', 'sepa', 'manual']) {
          await db.run`delete from payout_settings where partner_id = ${partner.id}`
          if (kind)
            await db.run`
              insert into payout_settings (partner_id, account_id, details_sealed, kind, version, created_at, updated_at)
              values (${partner.id}, ${account.id}, '\\x00', ${kind}, ${partner.id}, ${db.now}, ${db.now})`
          await db.run`update partners set payout_method = ${choice} where id = ${partner.id}`
          const { method } = await db.one<{ method: string }>`
            select w.method from partners n
              left join payout_settings d on d.account_id = n.account_id and d.partner_id = n.id ${withMethod(terms)}
            where n.account_id = ${account.id} and n.id = ${partner.id}`
          const name = `${defaultCurrency} ${methods} ${kind} ${choice}`
          assert.equal(method, methodFor(terms, kind, choice).name, name)
          assert.equal(method, expected({ defaultCurrency, methods, kind, choice }), name)
        }
    }
    await db.run`update partners set payout_method = null where id = ${partner.id}`
  }
})

/** Rules 8 to 10 of the design, read once more. */
function expected(at: { defaultCurrency: string; methods: string[]; kind: string | null; choice: string | null }) {
  const { defaultCurrency, methods, kind, choice } = at
  const reach = { wise: ['us-bank', 'iban', 'local-bank'], sepa: ['iban'] } as Record<string, string[]>
  if (choice === 'manual') return 'manual'
  if (choice && methods.includes(choice) && (kind === null || reach[choice]!.includes(kind))) return choice
  if (kind === null) return methods.includes('wise') ? 'wise' : (methods[0] ?? 'manual')
  const pays = methods.filter((name) => name !== 'sepa' || defaultCurrency === 'eur')
  return pays.find((name) => reach[name]!.includes(kind)) ?? 'manual'
}

test('euro details are kept sealed and answered masked; a kind that no way reaches is not taken', async () => {
  const account = await anAccount(app, { defaultCurrency: 'eur' })
  const partner = await aPartner(app, account, {}, { signIn: true })
  const saved = await enter(partner, euroDetails())
  assert.equal(saved.status, 200, JSON.stringify(saved.body))
  assert.deepEqual(saved.body.depositInfo, {
    ...euroDetails({ bic: null, iban: '•••••0189' }),
    address: { ...euroDetails().address, country: 'FR' },
  })
  assert.deepEqual([saved.body.country, saved.body.currency, saved.body.method], ['FR', 'eur', null])
  assert.equal(
    (await app.api('GET', `/partners/${partner.id}/payout-settings`, { token: account.token })).body.method,
    'manual',
  )
  await call(account, 'PUT', '/payout-methods/sepa', debtor)
  assert.equal((await enter(partner, bankDetails())).body.error.reason, 'kind_not_offered')
  assert.equal((await enter(partner, euroDetails({ iban: 'FR7630006000011234567890188' }))).status, 422)
  assert.deepEqual((await enter(partner, euroDetails({ name: 'Zoë' }))).body.error.fields, {
    name: 'Enter a first and last name without digits',
  })
  assert.equal((await enter(partner, { ...euroDetails(), kind: 'crypto' })).status, 422)
  const dollars = await anAccount(app)
  const other = await aPartner(app, dollars, {}, { signIn: true })
  assert.equal((await enter(other, euroDetails())).body.error.reason, 'kind_not_offered')
})

test('an approval fixes the method of each payout; the run takes those that need no person', async () => {
  const account = await anAccount(app, { defaultCurrency: 'eur' })
  const american = await aPayee(app, account)
  const european = await aPartner(app, account, {}, { signIn: true })
  await enter(european, euroDetails())
  const byHand = await aPartner(app, account)
  const year = { approvedPayoutYears: [db.now.getUTCFullYear()] }
  for (const { id } of [european, byHand]) await app.api('PUT', `/partners/${id}`, { token: account.token, body: year })
  await call(account, 'PUT', '/payout-methods/sepa', debtor)
  await switchOn(account, ['sepa', 'wise'])
  const due = []
  for (const partner of [american, european, byHand]) due.push(await aPayout(app, account, partner, 100_00))
  assert.deepEqual(
    due.map(({ method }) => method),
    ['wise', 'sepa', 'wise'],
  )
  const codes = async (partner: { id: string }) =>
    (await getBalance(app, account, partner)).blockers.map(({ code }: { code: string }) => code)
  assert.deepEqual(await codes(byHand), ['no-deposit-info'])
  const off = await choose(account, byHand, 'paypal')
  assert.deepEqual([off.status, off.body.error.reason], [422, 'method_not_on'])
  assert.equal((await choose(account, byHand, 'manual')).body.payoutMethod, 'manual')
  assert.deepEqual(await codes(byHand), [], 'no details are needed to be paid by hand')
  const facts = await factsOf(account)
  await db.run`update payout_accounts set enabled = true where account_id = ${account.id}`
  assert.equal(await transaction(db, (tx) => runAutomaticPayouts(tx, app.services, facts)), 1)
  const [first] = await listPayouts(app, account, american)
  assert.deepEqual([first!.status, first!.method], ['approved', 'wise'])
  const ids = [due[1]!.id, due[2]!.id]
  const approved = await call(account, 'POST', '/payouts/approve', { ids })
  assert.deepEqual(
    approved.body.results.map((one: { status: string }) => one.status),
    ['approved', 'approved'],
  )
  // whatever changes later
  await call(account, 'DELETE', '/payout-methods/sepa')
  await choose(account, byHand, null)
  await requestRefresh(app, account)
  const stored = await db.many<{ method: string; kind: string | null; currency: string | null; hint: string | null }>`
    select method, payee_kind as kind, payee_currency as currency, payee_hint as hint from payouts
    where account_id = ${account.id} order by statement_number`
  assert.deepEqual(stored, [
    { method: 'wise', kind: 'us-bank', currency: 'usd', hint: '6789' },
    { method: 'sepa', kind: 'iban', currency: 'eur', hint: '0189' },
    { method: 'manual', kind: null, currency: null, hint: null },
  ])
})

test('details that no way reaches are paid by hand, which a person is told', async () => {
  const account = await anAccount(app, { defaultCurrency: 'eur' })
  const partner = await aPayee(app, account)
  await call(account, 'PUT', '/payout-methods/sepa', debtor)
  const due = await aPayout(app, account, partner, 50_00)
  assert.deepEqual([due.status, due.method], ['due', 'manual'])
  assert.deepEqual(
    due.blockers.map(({ code }) => code),
    ['no-method'],
  )
})
