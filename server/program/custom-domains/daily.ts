import { sql } from '../../platform/database/sql.ts'
import { dayIn } from '../../platform/time/days.ts'
import { eachNightInParts } from '../access/each-night.ts'
import { checkPresentHost, deleteLostHosts } from './check-host.ts'

/** Checks the hosts of each account once a day. */
export const checkHosts = eachNightInParts(
  'check-hosts',
  4,
  async ({ id, timeZone }, services) => {
    await checkPresentHost(services, id, { today: dayIn(timeZone, services.db.now) })
    await deleteLostHosts(services, id)
  },
  { eligible: () => sql`exists (select from hosts h where h.account_id = a.id)` },
)
