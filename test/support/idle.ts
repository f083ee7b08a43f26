import type { Database } from '../../server/platform/database/pool.ts'
import { eraseIdleLeads } from '../../server/program/privacy/erase-idle.ts'
import type { TestApp } from './app.ts'
import { readAccountFacts } from './leads.ts'

/** Erases what is idle in the account at this time. */
export async function eraseAt({ clock, services }: TestApp, accountId: string, at: string) {
  clock.set(at)
  await eraseIdleLeads(await readAccountFacts(services.db, accountId), services)
}

/** Lists the erased leads, the oldest first. */
export const erasedIn = ({ many }: Database, accountId: string) => many<{ id: string }>`
  select id from leads where account_id = ${accountId} and erased_at is not null order by created_at, id`
