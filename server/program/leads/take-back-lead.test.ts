import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aLedger, ledgerServices, ownerAuthor } from '../../../test/support/ledger.ts'
import { freshDatabase } from '../../../test/support/postgres.ts'
import { newId } from '../../platform/database/ids.ts'
import { transaction } from '../../platform/database/pool.ts'
import { verifyLedger } from '../stats/verify.ts'
import { captureLead } from './capture-lead.ts'
import { expireLeads } from './lead-status.ts'
import { revertLeadImport } from './take-back-lead.ts'

const db = await freshDatabase()
const services = ledgerServices(db)

test('an undone import gives a lead back to its former partner, who has left meanwhile, with their link and click', async () => {
  const ledger = await aLedger(services, { partners: [{}, {}], leads: [{ partner: 0, blueprint: true }] })
  const { account, partnerIds, leadIds } = ledger
  const by = ownerAuthor(ledger)
  const lead = () => db.one`
    select partner_id, status, blueprint_id, click_id, sub_id, country, attribution_model, matched_by, attributed_at
    from leads where id = ${leadIds[0]}`
  await db.run`
    update leads set click_id = ${newId()}, sub_id = 'spring', country = 'FR', attribution_model = 'first-touch',
      matched_by = 'click', attributed_at = now() - interval '90 days' where id = ${leadIds[0]}`
  await db.run`update leads set external_id = 'crm-1', protected_until = now() - interval '1 day' where id = ${leadIds[0]}`
  await expireLeads(services)
  await db.run`update partners set state = 'archived' where id = ${partnerIds[0]}`
  const before = await lead()
  const { changed } = await transaction(db, (tx) =>
    captureLead(tx, account, { source: 'import', externalId: 'crm-1', partnerId: partnerIds[1], by }),
  )
  assert.equal((await lead()).partnerId, partnerIds[1])
  await transaction(db, (tx) => revertLeadImport(tx, by, account, leadIds[0]!, changed!))
  assert.deepEqual(await lead(), before)
  assert.deepEqual(await verifyLedger(db), [])
})
