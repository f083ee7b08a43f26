import type { Logger } from 'pino'
import { type createPartners as call, NewPartner } from '#contract/partners.ts'
import type { Author } from '../../platform/author.ts'
import type { Transaction } from '../../platform/database/pool.ts'
import { eachRow, processRows } from '../../platform/http/rows.ts'
import type { Install } from '../../platform/services.ts'
import type { Access } from '../access/access.ts'
import type { Call } from '../access/route.ts'
import { invitationOfPartner } from '../auth/invitations.ts'
import { createPartner } from './create-partner.ts'

/** Registers a partner for each row, like `createPartner`; a refused row undoes only itself. */
export async function createPartners(
  tx: Transaction,
  install: Install & { log: Logger },
  by: Author,
  access: Access,
  { partners, sendInvitation }: Call<typeof call, Transaction>['body'],
) {
  const rows = partners.map((row) =>
    sendInvitation !== undefined && typeof row === 'object' ? { sendInvitation, ...row } : row,
  )
  const create = eachRow<NewPartner>(tx, async (row) => {
    const partner = await createPartner(tx, install, by, access, row)
    return { status: 201, id: partner.id, body: partner }
  })
  const results = await processRows(install.log, NewPartner, rows, create)
  const answered = []
  for (const result of results) {
    const invitation = result.id ? await invitationOfPartner(tx, install, result.id, { showUrl: true }) : null
    answered.push({ ...result, invitationUrl: invitation?.url ?? null })
  }
  return { results: answered }
}
