import type { Group } from '#contract/groups.ts'
import type { Language } from '#contract/language.ts'
import { pickText } from '#contract/pick-text.ts'
import { sql } from '../../platform/database/sql.ts'

/** The public name of a group `g`, as its owner wrote it in each language; `base` is the account's. */
export type PublicName = Pick<Group, 'publicName' | 'translations'> & { base: Language }
export const publicNameColumns = sql`g.public_name, g.translations,
  (select a.language from accounts a where a.id = g.account_id) as base`

/** Returns the name of a group for a reader. */
export const readPublicName = (name: PublicName, wanted: Language | null) =>
  pickText(name, 'publicName', name.base, wanted).value
