import { asUuid } from '../../platform/database/ids.ts'
import type { Queryable } from '../../platform/database/pool.ts'
import { ownerOfCode, stateOf } from '../partners/queries.ts'

/** `earns`: suspended and archived partners get no new credit. */
export type FoundPartner = { id: string; earns: boolean }

const found = (row: { id: string; state: string } | undefined): FoundPartner | undefined =>
  row && { id: row.id, earns: row.state === 'active' }

/** The partner of this code or alias in the account, in any case; undefined where there is none. */
export const findPartnerByCode = async (db: Queryable, accountId: string, code: string) =>
  found(await ownerOfCode(db, accountId, code.trim().toLowerCase()))

/** The account's partner of this id as somebody gave it; undefined where there is none. */
export const findPartner = async (db: Queryable, accountId: string, id: string) =>
  found(await stateOf(db, accountId, asUuid(id)))
