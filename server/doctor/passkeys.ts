import { countInWords } from '../platform/format-values.ts'
import { relyingParty } from '../program/auth/second-factor/relying-party.ts'
import { type Check, reportOk, reportSkipped, reportWarning } from './check.ts'

/** Counts passkeys of a former APP_URL, which no longer work. */
export const passkeys: Check = {
  name: 'passkeys',
  async look(patient) {
    const { config, needs } = patient
    needs('APP_URL')
    const db = await patient.database()
    const here = relyingParty(config)?.id ?? null
    const { all, useless, people } = await db.one<{ all: number; useless: number; people: number }>`
      with each as (
        select user_id, rp_id is distinct from ${here} and not exists (
          select from hosts h where h.name = rp_id and h.state <> 'given-up') as is_useless
        from passkeys
      )
      select count(*) as all, count(*) filter (where is_useless) as useless,
        count(distinct user_id) filter (where is_useless) as people
      from each`
    if (all === 0) return reportSkipped('There are none.')
    if (useless === 0) return reportOk(`${countInWords(all, 'passkey')} can be used.`)
    return reportWarning(
      `Made under a former APP_URL and no longer usable: ${countInWords(useless, 'passkey')} of ${countInWords(people, 'person', 'people')}.`,
      'Set APP_URL back if it changed by mistake. Otherwise, people with an authenticator app add new ones; others need npx tributary user reset-second-factor EMAIL first.',
    )
  },
}
