import { getDetailKind, type PayoutDetails } from '#contract/payout-settings.ts'
import type { Transaction } from '../../platform/database/pool.ts'
import type { Secrets } from '../../platform/database/secrets.ts'
import { openDetails, settingsPlace } from './deposit-details.ts'

/** Returns a hash that is equal for the same bank account or address within an account, and reveals nothing else. */
export const detailsHash = (secrets: Secrets, accountId: string, details: PayoutDetails): Buffer =>
  Buffer.from(
    secrets.derive('payout-details', `${accountId}.${getDetailKind(details)}.${numbersOf(details)}`),
    'base64url',
  )

const plain = (text: string) => text.replace(/[\s-]/g, '').toLowerCase()

function numbersOf(details: PayoutDetails): string {
  switch (details.kind) {
    case 'iban':
      return plain(details.iban)
    case 'paypal':
      return plain(details.email)
    case 'local-bank': {
      const fields = Object.entries(details.fields).sort(([a], [b]) => (a < b ? -1 : 1))
      return `${details.country}.${fields.map(([name, value]) => `${name}=${plain(value)}`).join('&')}`
    }
    default:
      return `${plain(details.routingNumber)}.${plain(details.accountNumber)}`
  }
}

/** Renews the hash of every partner's present details after a change of the key. Unreadable details keep theirs. */
export async function hashDetailsAnew(tx: Transaction, secrets: Secrets): Promise<void> {
  const rows = await tx.many<{ partnerId: string; accountId: string; sealed: Buffer }>`
    select partner_id, account_id, details_sealed as sealed from payout_settings where details_sealed is not null`
  const anew = rows.flatMap(({ partnerId, accountId, sealed }) => {
    const details = openDetails(secrets, sealed, settingsPlace(partnerId, accountId))
    return details ? [{ partnerId, accountId, hash: detailsHash(secrets, accountId, details).toString('hex') }] : []
  })
  await tx.run`
    update payout_settings d set details_hash = decode(v.hash, 'hex')
    from unnest(${anew.map(({ accountId }) => accountId)}::uuid[], ${anew.map(({ partnerId }) => partnerId)}::uuid[],
      ${anew.map(({ hash }) => hash)}::text[]) v (account_id, partner_id, hash)
    where d.account_id = v.account_id and d.partner_id = v.partner_id`
}
