import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anAccount, expectOk, startApp } from '../../../test/support/app.ts'
import { exportArchive } from '../../../test/support/archives.ts'
import { readAccountFacts } from '../../../test/support/leads.ts'
import { aPayee, bookDue } from '../../../test/support/payouts.ts'
import { signForm, wantForms } from '../../../test/support/tax-forms.ts'
import type { Database } from '../../platform/database/pool.ts'
import { readBalances } from '../../program/payouts/partner-balances.ts'
import { getPayoutTerms } from '../../program/payouts/payout-terms.ts'
import { importAccount } from './import-account.ts'

test('a form that a partner signed stays behind: a payout that requires one waits until they sign again', async () => {
  const [here, there] = [await startApp(), await startApp()]
  const account = await anAccount(here)
  await wantForms(here, account, 'required')
  const [signed, recorded] = [await aPayee(here, account), await aPayee(here, account)]
  expectOk(await signForm(here, signed))
  const taxForm = { kind: 'w-9', receivedOn: '2026-01-01' }
  expectOk(await here.api('PUT', `/partners/${recorded.id}`, { token: account.token, body: { taxForm } }))
  for (const partner of [signed, recorded]) await bookDue(here, account, partner, 30_00)
  const lacking = async (db: Database) => {
    const balances = await readBalances(db, await getPayoutTerms(db, await readAccountFacts(db, account.id)), 'all')
    return balances.flatMap(({ partnerId, blockers }) => (blockers.includes('tax-form-missing') ? [partnerId] : []))
  }
  assert.deepEqual(await lacking(here.services.db), [])
  const { path } = await exportArchive(here.services.db, account.id)
  await importAccount(there.services.db, there.services, path)
  assert.deepEqual(await lacking(there.services.db), [signed.id])
  const { form } = await there.services.db.one<{ form: object }>`
    select tax_form as form from partners where id = ${recorded.id}`
  assert.deepEqual(form, taxForm, 'what an owner recorded is still theirs')
})
