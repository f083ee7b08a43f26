import type { Transaction } from '../../platform/database/pool.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import { newCase, openCases } from './fraud-cases.ts'
import { toFraudRules } from './rules.ts'

/** The value that partners have in common. */
const shared = {
  details: 'The payout details are those of another partner.',
  network: 'Another partner applied from the same network on that day.',
} as const

/** Opens a case for a partner with the same payout details as another. */
export async function judgeDetails(tx: Transaction, account: AccountFacts, partnerId: string, hash: Buffer) {
  if (toFraudRules(account).duplicatePartner.action === 'off') return
  const others = await tx.many<{ id: string }>`
    select partner_id as id from payout_settings
    where account_id = ${account.id} and details_hash = ${hash} and partner_id <> ${partnerId} order by created_at limit 1`
  await openFor(tx, account, { partnerId, of: 'details', otherId: others[0]?.id })
}

/** Opens a case for a new partner whose application came from the network of another partner's, on the same day. */
export async function judgeNetwork(tx: Transaction, account: AccountFacts, partnerId: string, applicationId: string) {
  if (toFraudRules(account).duplicatePartner.action === 'off') return
  const others = await tx.many<{ id: string }>`
    select o.partner_id as id
    from applications a join applications o on o.account_id = ${account.id} and o.network_hash = a.network_hash
    where a.account_id = ${account.id} and a.id = ${applicationId} and o.id <> a.id and o.partner_id is not null
    order by o.created_at limit 1`
  await openFor(tx, account, { partnerId, of: 'network', otherId: others[0]?.id })
}

type Duplicate = { partnerId: string; of: keyof typeof shared; otherId: string | undefined }

/** Does nothing if the partner has had a case about the same other partner for the same value. */
async function openFor(tx: Transaction, account: AccountFacts, { partnerId, of, otherId }: Duplicate) {
  const { action } = toFraudRules(account).duplicatePartner
  if (otherId === undefined || action === 'off') return
  const finding = { rule: 'duplicate-partner' as const, evidence: shared[of], partnerId: otherId }
  const known = await tx.maybe`
    select from fraud_cases
    where account_id = ${account.id} and partner_id = ${partnerId} and sale_id is null and lead_id is null
      and findings @> ${JSON.stringify([finding])}::jsonb limit 1`
  if (known) return
  await openCases(tx, [newCase(tx, { accountId: account.id, partnerId, action, findings: [finding] })])
}
